// The state that agent and app share.
import assert from 'node:assert/strict'
import { agent, call, connected, everyClient, runChecks, say } from './harness.mjs'

const stateOf = (http) => call(`/api/v1/agent/threads/${http.threadId}/state`)

everyClient('a state comes as a whole and then in part', async (client) => {
  const http = agent(client)
  const { types } = await say(http, '/state {"count": 1, "items": [{"a~b/c": null}]}')
  assert.ok(types.indexOf('STATE_SNAPSHOT') < types.indexOf('STATE_DELTA'))
  const state = { count: 1, items: [{ 'a~b/c': null }], updated: true }
  assert.deepEqual(http.state, state)
  const first = await stateOf(http)
  assert.deepEqual(first.state, state)
  assert.ok(first.version >= 1)
  await say(http, '/state {"count": 2}')
  assert.deepEqual(http.state, { count: 2, updated: true })
  const second = await stateOf(http)
  assert.deepEqual(second.state, { count: 2, updated: true })
  assert.ok(second.version > first.version)
})

everyClient('who comes new gets the state', async (client) => {
  const first = agent(client)
  await say(first, '/state {"theme": "dark"}')
  const { http } = await connected(client, first.threadId)
  assert.deepEqual(http.state, { theme: 'dark', updated: true })
  assert.deepEqual((await connected(client, first.threadId)).http.state, http.state)
  const { version } = await stateOf(first)
  await say(agent(client, { thread: first.threadId }), 'I know of no state')
  assert.deepEqual((await stateOf(first)), { ...(await stateOf(first)), state: http.state, version })
})

everyClient('what the app sets is kept', async (client) => {
  const http = agent(client, { state: { draft: 'by the app' } })
  await say(http, 'hello')
  assert.deepEqual(http.state, { draft: 'by the app' })
  assert.deepEqual((await stateOf(http)).state, { draft: 'by the app' })
  http.setState({ draft: 'changed' })
  await say(http, 'again')
  assert.deepEqual((await stateOf(http)).state, { draft: 'changed' })
  assert.deepEqual((await connected(client, http.threadId)).http.state, { draft: 'changed' })
})

await runChecks()
