// A long thread whose client sends all of it every time.
import assert from 'node:assert/strict'
import { agent, connected, everyClient, plain, runChecks, runsOf, say, stored } from './harness.mjs'

const TURNS = 250
const LIMIT = 120_000

everyClient(`${TURNS} turns, each with all that was said before`, async (client) => {
  const began = Date.now()
  const http = agent(client)
  for (let turn = 1; turn <= TURNS; turn++) {
    assert.equal((await say(http, `turn ${turn}`)).answer, `You said: turn ${turn}`)
    assert.equal(http.messages.length, 2 * turn)
  }
  const took = Date.now() - began
  assert.ok(took < LIMIT, `took ${took} ms`)
  const log = await stored(http.threadId)
  assert.deepEqual(log.map(({ id, role, content }) => ({ id, role, content })), plain(http.messages))
  assert.ok((await runsOf(http.threadId)).length > 0)
  const { http: fresh } = await connected(client, http.threadId)
  assert.deepEqual(plain(fresh.messages), plain(http.messages))
})

await runChecks()
