// A server that takes leaving for a stop.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { agent, everyClient, run, runChecks, runsOf, stored, until, user } from './harness.mjs'

everyClient('who leaves stops the run', async (client) => {
  const http = agent(client, { messages: [user('/slow 400')] })
  let words = 0
  const { error } = await run(http, {}, { onTextMessageContentEvent: () => { if (++words === 3) http.abortRun() } })
  assert.equal(error.code, 'abort')
  await until(async () => (await runsOf(http.threadId))[0].state === 'cancelled', 'the run is cancelled')
  const [, kept] = await stored(http.threadId)
  assert.match(kept.content, /^1 2 3/)
})

everyClient('while somebody else still looks on, the run goes on', async (client) => {
  const runId = randomUUID()
  const messages = [user('/slow 100')]
  const http = agent(client, { messages })
  const stays = agent(client, { thread: http.threadId, messages })
  let words = 0
  let staying
  const { error } = await run(http, { runId }, {
    onTextMessageContentEvent: () => {
      if (++words === 2) {
        let seen = 0
        staying = run(stays, { runId }, { onTextMessageContentEvent: () => { if (++seen === 2) http.abortRun() } })
      }
    },
  })
  assert.equal(error.code, 'abort')
  const { outcome } = await staying
  assert.equal(outcome, 'success')
  assert.match(stays.messages.at(-1).content, / 99 100\.$/)
})

await runChecks()
