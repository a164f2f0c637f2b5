// What is stored of a run, put through the clients' own reducers, is what the live client ended with.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { from } from 'rxjs'
import { agent, everyClient, plain, run, runChecks, server, token, user } from './harness.mjs'

/** The stored events of a run, oldest first. */
async function events(thread, runId) {
  const url = `${server}/api/v1/agent/runs/${thread}/events?runId=${encodeURIComponent(runId)}`
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } })
  assert.equal(answer.status, 200)
  return (await answer.text()).split('\n').filter((line) => line.startsWith('data:')).map((line) => JSON.parse(line.slice(5)))
}

const replayed = (client, http, stored) => {
  const { AbstractAgent } = client
  class Replay extends AbstractAgent {
    run() {
      return from(stored)
    }
  }
  return new Replay({ threadId: http.threadId, initialMessages: http.messages.slice(0, 1) })
}

for (const text of ['hello out there', 'weather in Rome', '/state {"count": 1}', '/think of the sea', '/team a bridge',
  '/approve Send it?', '/card Tickets', '/fail', '/slow 5']) {
  everyClient(`the log of ${text}`, async (client) => {
    const runId = randomUUID()
    const http = agent(client, { messages: [user(text)] })
    const live = await run(http, { runId })
    const again = replayed(client, http, await events(http.threadId, runId))
    const seen = await run(again, { runId })
    assert.deepEqual(plain(again.messages), plain(http.messages))
    assert.deepEqual(again.state, http.state)
    assert.deepEqual(again.pendingInterrupts, http.pendingInterrupts)
    assert.equal(seen.outcome, live.outcome)
    assert.equal(seen.error?.code, live.error?.code)
  })
}

await runChecks()
