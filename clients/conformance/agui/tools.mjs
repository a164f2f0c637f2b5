// Tools of the server, and tools of the app, whose answers come with the next run.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { agent, answered, clients, connected, everyClient, check, plain, runChecks, runsOf, say, stored } from './harness.mjs'

const tools = [{ name: 'pick_color', description: 'Lets you pick', parameters: { type: 'object', properties: { of: { type: 'string' } } } }]
const roles = (http) => http.messages.map(({ role }) => role)
const result = (toolCallId, content) => ({ id: randomUUID(), role: 'tool', toolCallId, content })

/** The call that a run left for the app to answer. */
async function pending(http) {
  const { outcome, pendingToolCallIds, types } = await say(http, '/tool pick_color {"of": "sky"}', { tools })
  assert.equal(outcome, 'success')
  assert.ok(!types.includes('TOOL_CALL_RESULT'))
  const [call] = http.messages.at(-1).toolCalls
  assert.equal(call.function.name, 'pick_color')
  assert.deepEqual(JSON.parse(call.function.arguments), { of: 'sky' })
  if (pendingToolCallIds) assert.deepEqual(pendingToolCallIds, [call.id])
  return call.id
}

everyClient("a tool of the server's is called, answered and told of", async (client) => {
  const http = agent(client)
  const args = []
  const { answer, types } = await say(http, 'weather in Rome', {}, {
    onToolCallArgsEvent: ({ event }) => void args.push(event.delta),
    onToolCallEndEvent: ({ toolCallName, toolCallArgs }) => {
      assert.equal(toolCallName, 'get_weather')
      assert.deepEqual(toolCallArgs, { city: 'Rome' })
    },
  })
  assert.match(answer, /^The weather in Rome: /)
  assert.ok(args.length > 1)
  assert.deepEqual(roles(http), ['user', 'assistant', 'tool', 'assistant'])
  assert.equal(http.messages[2].toolCallId, http.messages[1].toolCalls[0].id)
  assert.equal(JSON.parse(http.messages[2].content).city, 'Rome')
  assert.equal(types.filter((type) => type === 'TOOL_CALL_RESULT').length, 1)
  assert.match((await say(http, 'weather in Oslo')).answer, /^The weather in Oslo: /)
  assert.equal(http.messages.length, 8)
  const { http: fresh } = await connected(client, http.threadId)
  assert.deepEqual(plain(fresh.messages), plain(http.messages))
})

everyClient("a tool of the app's is answered by the next run", async (client) => {
  const http = agent(client)
  const call = await pending(http)
  http.addMessage(result(call, 'blue'))
  assert.equal((await answered(http, { tools })).answer, 'The tool pick_color answered: blue')
  assert.deepEqual(roles(http), ['user', 'assistant', 'tool', 'assistant'])
  assert.equal((await say(http, 'thanks', { tools })).answer, 'You said: thanks')
  assert.equal((await stored(http.threadId)).filter(({ content }) => content === 'blue').length, 1)
  assert.equal((await runsOf(http.threadId)).length, 3)
})

everyClient('a tool may be answered after a reload, and by the answer alone', async (client) => {
  const first = agent(client)
  const call = await pending(first)
  const { http } = await connected(client, first.threadId)
  assert.deepEqual(plain(http.messages), plain(first.messages))
  http.setMessages([result(call, 'green')])
  assert.equal((await answered(http, { tools })).answer, 'The tool pick_color answered: green')
  const { http: fresh } = await connected(client, first.threadId)
  assert.deepEqual(roles(fresh), ['user', 'assistant', 'tool', 'assistant'])
  assert.equal(fresh.messages[2].content, 'green')
})

everyClient('a tool is answered once', async (client) => {
  const http = agent(client)
  const call = await pending(http)
  http.addMessage(result(call, 'red'))
  await answered(http, { tools })
  http.addMessage(result(call, 'purple'))
  assert.equal((await say(http, 'next', { tools })).answer, 'You said: next')
  assert.doesNotMatch(JSON.stringify(await stored(http.threadId)), /purple/)
})

everyClient('a call that nobody answers does not stop the thread', async (client) => {
  const http = agent(client)
  await pending(http)
  assert.equal((await say(http, 'something else', { tools })).answer, 'You said: something else')
  assert.equal((await say(http, 'and more', { tools })).answer, 'You said: and more')
})

everyClient('a tool that failed is answered too', async (client) => {
  const http = agent(client)
  const call = await pending(http)
  http.addMessage({ ...result(call, 'no colors'), error: 'out of paint' })
  assert.equal((await answered(http, { tools })).answer, 'The tool pick_color answered: no colors (error: out of paint)')
})

check("what a tool answers in parts is one text for the older client", async () => {
  const [modern, older] = clients
  const http = agent(modern)
  const call = await pending(http)
  http.addMessage(result(call, [{ type: 'text', text: 'sea ' }, { type: 'text', text: 'green' }]))
  assert.equal((await answered(http, { tools })).answer, 'The tool pick_color answered: sea green')
  const { http: fresh } = await connected(older, http.threadId)
  assert.equal(fresh.messages[2].content, 'sea green')
})

await runChecks()
