// Failures before a stream is open, which reject, and after, which are events.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { agent, connected, everyClient, otherToken, rejected, run, runChecks, runUrl, say, stored, user } from './harness.mjs'

/** What an app can show to people and act upon. */
async function assertRefused(http, status, parameters) {
  const error = await rejected(run(http, parameters))
  assert.equal(error.status, status, String(error))
  assert.equal(typeof error.payload, 'object')
  assert.equal(error.payload.status, status)
  assert.match(error.payload.error.code, /\S/)
  assert.match(error.payload.error.message, /\S/)
  assert.equal(error.payload.error.message, error.payload.message)
  assert.equal(http.isRunning, false)
}

everyClient('bad input is refused', async (client) => {
  const hello = () => ({ messages: [user('hello')] })
  await assertRefused(agent(client, { ...hello(), thread: 'x'.repeat(129) }), 400)
  await assertRefused(agent(client, hello()), 400, { runId: 'x'.repeat(129) })
  const broken = { type: 'image', source: { type: 'data', value: 'no image', mimeType: 'image/png' } }
  await assertRefused(agent(client, { messages: [user([broken])] }), 415)
})

everyClient('nobody is refused, and so is nonsense', async (client) => {
  await assertRefused(agent(client, { messages: [user('hello')], token: null }), 401)
  await assertRefused(agent(client, { messages: [user('hello')], token: 'nonsense' }), 401)
})

everyClient("another's thread is not there", async (client) => {
  const mine = agent(client)
  await say(mine, 'private')
  const theirs = agent(client, { thread: mine.threadId, token: otherToken, messages: [user('hello')] })
  await assertRefused(theirs, 404)
  assert.equal((await stored(mine.threadId)).length, 2)
  const error = await rejected(connected(client, mine.threadId, { token: otherToken }))
  assert.equal(error.status, 404)
})

everyClient('an agent that does not exist is not there', async (client) => {
  await assertRefused(agent(client, { url: runUrl(randomUUID()), messages: [user('hello')] }), 404)
  await assertRefused(agent(client, { url: runUrl('nobody'), messages: [user('hello')] }), 404)
})

everyClient('a failure in the middle is an event, and the thread lives on', async (client) => {
  const http = agent(client)
  http.addMessage(user('/fail'))
  const { error, types } = await run(http)
  assert.equal(error.code, 'demo_failure')
  assert.match(error.message, /\S/)
  assert.equal(types.at(-1), 'RUN_ERROR')
  assert.equal(http.isRunning, false)
  assert.equal(http.messages.at(-1).content, 'About to')
  assert.equal((await say(http, 'still there?')).answer, 'You said: still there?')
  const { http: fresh } = await connected(client, http.threadId)
  assert.deepEqual(fresh.messages.map(({ content }) => content),
    ['/fail', 'About to', 'still there?', 'You said: still there?'])
})

everyClient('a failure is told to who asks for its run again', async (client) => {
  const runId = randomUUID()
  const http = agent(client, { messages: [user('/fail')] })
  await run(http, { runId })
  const again = await run(agent(client, { thread: http.threadId, messages: http.messages.slice(0, 1) }), { runId })
  assert.equal(again.error.code, 'demo_failure')
})

await runChecks()
