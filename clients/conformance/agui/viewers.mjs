// Several who look at one thread.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { agent, clients, check, connected, everyClient, lastText, plain, run, runChecks, runsOf, say, user } from './harness.mjs'

/** Starts a run and gives what happens once its first words were heard. */
async function started(client, thread, runId, text) {
  const http = agent(client, { thread, messages: [user(text)] })
  let heard
  const first = new Promise((resolve) => { heard = resolve })
  const end = run(http, { runId }, { onTextMessageContentEvent: () => heard() })
  await first
  return { http, end }
}

everyClient('two who look on while it speaks have the same text', async (client) => {
  const thread = randomUUID()
  const { http, end } = await started(client, thread, 'spoken', '/slow 30')
  const viewer = connected(client, thread)
  const again = run(agent(client, { thread, messages: http.messages.slice(0, 1) }), { runId: 'spoken' })
  await Promise.all([end, again])
  const { http: other } = await viewer
  assert.match(lastText(http), / 29 30\.$/)
  assert.deepEqual(plain(other.messages), plain(http.messages))
  assert.equal((await runsOf(thread)).length, 1)
})

check('clients of both versions look at one thread', async () => {
  const thread = randomUUID()
  const [modern, older] = clients
  const { http, end } = await started(older, thread, 'spoken', '/slow 20')
  const { http: other } = await connected(modern, thread)
  await end
  assert.deepEqual(plain(other.messages), plain(http.messages))
  assert.equal((await say(other, 'weather in Rome')).outcome, 'success')
  const { http: third } = await connected(older, thread)
  assert.deepEqual(plain(third.messages), plain(other.messages))
})

everyClient('what two say at the same time is answered one after the other', async (client) => {
  const thread = randomUUID()
  await say(agent(client, { thread }), 'begin')
  const answers = await Promise.all(['one', 'two', 'three'].map((text) => say(agent(client, { thread }), text)))
  assert.equal(answers.length, 3)
  const { http } = await connected(client, thread)
  const texts = http.messages.map(({ content }) => content)
  assert.equal(texts.length, 8)
  for (const text of ['one', 'two', 'three']) {
    assert.equal(texts.filter((each) => each === text).length, 1)
    assert.equal(texts.filter((each) => each === `You said: ${text}`).length, 1)
  }
})

await runChecks()
