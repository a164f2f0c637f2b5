// Texts, thoughts, teams and threads.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { agent, answered, connected, everyClient, otherToken, plain, runChecks, runsOf, say } from './harness.mjs'

everyClient('a text is answered word by word', async (client) => {
  const http = agent(client)
  const runId = randomUUID()
  const { answer, newMessages, events, types } = await say(http, 'hello out there', { runId })
  assert.equal(answer, 'You said: hello out there')
  assert.equal(newMessages.length, 1)
  assert.equal(http.messages.length, 2)
  assert.ok(types.filter((type) => type === 'TEXT_MESSAGE_CONTENT').length > 1)
  assert.equal(events[0].type, 'RUN_STARTED')
  assert.equal(events[0].protocolVersion, '1.0')
  assert.equal(events[0].runId, runId)
})

everyClient('thoughts come before the answer and stay', async (client) => {
  const http = agent(client)
  const { answer, types } = await say(http, '/think of the sea')
  assert.equal(answer, 'You said: of the sea')
  assert.ok(types.indexOf('REASONING_MESSAGE_CONTENT') < types.indexOf('TEXT_MESSAGE_CONTENT'))
  const thought = http.messages.find(({ role }) => role === 'reasoning')
  assert.match(thought.content, /of the sea/)
  assert.equal((await say(http, 'next')).answer, 'You said: next')
  assert.equal(http.messages.filter(({ role }) => role === 'reasoning').length, 1)
})

everyClient('a team speaks with its own voices', async (client) => {
  const http = agent(client)
  const names = []
  const { answer, newMessages } = await say(http, '/team a bridge', {}, {
    onSubagentStartedEvent: ({ event }) => void names.push(event.name),
    onSubagentFinishedEvent: ({ event }) => void names.push(event.subagentRunId),
  })
  assert.equal(answer, 'Researcher and Writer are done with: a bridge')
  assert.deepEqual(names.slice(0, 2), ['Researcher', 'Writer'])
  assert.equal(new Set(names.slice(2)).size, 2)
  assert.deepEqual(newMessages.map(({ content }) => content), ['I found out all about this: a bridge',
    'I wrote this down: a bridge', 'Researcher and Writer are done with: a bridge'])
  assert.equal((await runsOf(http.threadId)).filter(({ rootRunId }) => !rootRunId).length, 1)
  assert.equal((await say(http, 'thanks')).answer, 'You said: thanks')
})

everyClient('a card is a text for those who draw no cards', async (client) => {
  assert.equal((await say(agent(client), '/card Tickets')).answer, 'Here is your card: Tickets')
})

everyClient('an agent may speak first', async (client) => {
  const http = agent(client)
  assert.match((await answered(http)).answer, /\S/)
  assert.equal((await say(http, 'hello')).answer, 'You said: hello')
  assert.equal(http.messages.length, 3)
})

for (const [name, called] of [
  ['thread-123', (own) => `thread-123-${own}`],
  ['my thread/é', (own) => `my thread/é/${own}`],
  [' ?#%2F ', (own) => ` ?#%2F${own} `],
  ['128 characters', (own) => own.padEnd(128, '漢')],
]) {
  everyClient(`a thread may be called ${JSON.stringify(name)}`, async (client) => {
    const thread = called(randomUUID().slice(1))
    const http = agent(client, { thread })
    assert.equal((await say(http, 'mine')).answer, 'You said: mine')
    const { http: fresh, seen } = await connected(client, thread)
    assert.equal(seen.finished.threadId, thread)
    assert.deepEqual(plain(fresh.messages), plain(http.messages))
    assert.equal((await say(fresh, 'again')).answer, 'You said: again')
    assert.equal(fresh.messages.length, 4)
    const { http: stranger } = await connected(client, thread, { token: otherToken })
    assert.deepEqual(stranger.messages, [])
    assert.equal((await say(stranger, 'theirs')).answer, 'You said: theirs')
    assert.equal(stranger.messages.length, 2)
    assert.equal((await connected(client, thread)).http.messages.length, 4)
  })
}

everyClient('to connect starts nothing', async (client) => {
  const thread = randomUUID()
  for (let time = 1; time <= 2; time++) {
    const { http, seen } = await connected(client, thread)
    assert.equal(seen.outcome, 'success')
    assert.deepEqual(http.messages, [])
  }
  assert.equal((await say(agent(client, { thread }), 'hello')).answer, 'You said: hello')
  await connected(client, thread)
  assert.equal((await runsOf(thread)).length, 1)
})

await runChecks()
