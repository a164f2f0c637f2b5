// Ends that people bring about: a stop, and leaving.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { agent, connected, everyClient, lastText, run, runChecks, runsOf, runUrl, say, stop, stored, until, user } from './harness.mjs'

/** Does something as soon as so many words have come. */
const after = (words, act) => {
  let seen = 0
  return { onTextMessageContentEvent: () => { if (++seen === words) void act() } }
}

/** A run that is stopped from outside while it speaks. */
async function stopped(client, body, thread = randomUUID(), http = agent(client, { thread })) {
  let answer
  http.addMessage(user('/slow 400'))
  const runId = randomUUID()
  const seen = await run(http, { runId }, after(5, () => { answer = stop(thread, body?.(runId)) }))
  assert.equal((await answer).stopped, true)
  return { http, seen }
}

function assertCancelled(client, seen) {
  if (client.modern) {
    assert.equal(seen.outcome, 'cancelled')
  } else {
    assert.equal(seen.error?.code, 'cancelled')
  }
}

for (const [what, body] of [['a stop', undefined], ['a stop of the run by its id', (runId) => ({ runId })]]) {
  everyClient(`${what} ends the run and keeps what was said`, async (client) => {
    const { http, seen } = await stopped(client, body)
    assertCancelled(client, seen)
    const text = lastText(http)
    assert.match(text, /^1 2 3 4 5( \d+)* ?$/)
    assert.doesNotMatch(text, /400/)
    const [, kept] = await stored(http.threadId)
    assert.equal(kept.content, text)
    assert.equal((await runsOf(http.threadId))[0].state, 'cancelled')
    const { http: fresh } = await connected(client, http.threadId)
    assert.equal(lastText(fresh), text)
    assert.equal((await say(http, 'next')).answer, 'You said: next')
  })
}

everyClient('a stop by the thread’s own name works too', async (client) => {
  const thread = `stop me/é ${client.version}`
  assertCancelled(client, (await stopped(client, undefined, thread)).seen)
})

everyClient('a stop when nothing runs stops nothing', async (client) => {
  const http = agent(client)
  await say(http, 'done')
  assert.equal((await stop(http.threadId)).stopped, false)
  assert.equal((await runsOf(http.threadId))[0].state, 'completed')
})

everyClient('who was stopped and asks again for the run hears the same end', async (client) => {
  const runId = randomUUID()
  const http = agent(client, { messages: [user('/slow 400')] })
  await run(http, { runId }, after(3, () => stop(http.threadId)))
  const again = agent(client, { thread: http.threadId, messages: http.messages.slice(0, 1) })
  assertCancelled(client, await run(again, { runId }))
  assert.equal(lastText(again), lastText(http))
})

everyClient('who leaves does not stop the run', async (client) => {
  const http = agent(client, { url: runUrl(), messages: [user('/slow 60')] })
  const { error } = await run(http, {}, after(3, () => http.abortRun()))
  assert.equal(error.code, 'abort')
  await until(async () => (await runsOf(http.threadId))[0].state === 'completed', 'the run is complete')
  const [, kept] = await stored(http.threadId)
  assert.match(kept.content, /^1 2 .* 59 60\.$/)
})

await runChecks(12)
