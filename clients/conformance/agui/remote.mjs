// Agents that are served elsewhere, through this server: one in this process, made with the protocol's own packages, and one
// that is a second server like this.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { RunAgentInputSchema } from '@ag-ui/core/schemas'
import { agent, answered, call, connected, everyClient, plain, run, runChecks, runUrl, say, stop, stored, until, user } from './harness.mjs'
import { remoteAgent } from './remote-agent.mjs'

const operator = process.env.PARLEY_OPERATOR_TOKEN
const remote = await remoteAgent()

async function registered(display_name, config) {
  const body = { display_name, kind: 'agui', config, visibility: 'shared' }
  return (await call('/api/v1/owner/agents', { method: 'POST', body, token: operator })).agent_id
}

const near = await registered('In this process', { url: remote.url })
const far = await registered('Another server', {
  url: `${process.env.PARLEY_SECOND_URL}/api/v1/agui`, headers: { Authorization: 'Bearer ${secret:second}' },
})

const nearby = (client, options) => agent(client, { url: runUrl(near), ...options })
const faraway = (client, options) => agent(client, { url: runUrl(far), ...options })
const tools = [{ name: 'pick_color', description: 'Lets you pick', parameters: { type: 'object', properties: {} } }]
const approved = ({ id }) => ({ interruptId: id, status: 'resolved', payload: { approved: true } })

/** Who comes new sees what the one who was there saw. */
async function assertSame(client, http, id) {
  const { http: fresh } = await connected(client, http.threadId, { id })
  assert.deepEqual(plain(fresh.messages), plain(http.messages))
  assert.deepEqual(fresh.state, http.state)
}

everyClient('a remote agent answers, and sees what was said before', async (client) => {
  const http = nearby(client)
  assert.equal((await say(http, 'one')).answer, 'Remotely: one (1 messages)')
  assert.equal((await say(http, 'two')).answer, 'Remotely: two (3 messages)')
  assert.equal((await stored(http.threadId)).length, 4)
  await assertSame(client, http, near)
})

everyClient('a remote agent calls its own tool', async (client) => {
  const http = nearby(client)
  assert.equal((await say(http, 'tool')).answer, 'A tree is a plant')
  assert.deepEqual(http.messages.map(({ role }) => role), ['user', 'assistant', 'tool', 'assistant'])
  await assertSame(client, http, near)
})

everyClient("a remote agent calls a tool of the app's", async (client) => {
  const http = nearby(client)
  await say(http, 'app tool', { tools })
  const [toolCall] = http.messages.at(-1).toolCalls
  assert.equal(toolCall.function.name, 'pick_color')
  http.addMessage({ id: randomUUID(), role: 'tool', toolCallId: toolCall.id, content: 'blue' })
  assert.equal((await answered(http, { tools })).answer, 'The app answered: blue')
  await assertSame(client, http, near)
})

everyClient('a remote agent asks', async (client) => {
  const http = nearby(client, { messages: [user('ask')] })
  const { outcome, interrupts } = await run(http)
  assert.equal(outcome, 'interrupt')
  assert.equal(interrupts[0].message, 'Really?')
  assert.equal((await answered(http, { resume: interrupts.map(approved) })).answer, 'Decided: [["resolved",{"approved":true}]]')
  await assertSame(client, http, near)
})

everyClient('a remote agent shares state', async (client) => {
  const http = nearby(client)
  assert.equal((await say(http, 'state')).answer, 'Counted, from {}')
  assert.deepEqual(http.state, { count: 2 })
  assert.equal((await say(agent(client, { url: runUrl(near), thread: http.threadId }), 'state')).answer, 'Counted, from {"count":2}')
})

everyClient('a remote agent thinks', async (client) => {
  const http = nearby(client)
  assert.equal((await say(http, 'think')).answer, 'Thought about')
  assert.equal(http.messages[1].role, 'reasoning')
  await assertSame(client, http, near)
})

everyClient('a remote agent is sent what the protocol says, with images, and nobody’s credentials', async (client) => {
  const http = nearby(client)
  const image = { type: 'image', source: { type: 'data', value: process.env.PARLEY_PNG, mimeType: 'image/png' } }
  const asked = user([{ type: 'text', text: 'look' }, image])
  await say(http, asked, { tools, context: [{ description: 'Place', value: 'Rome' }], forwardedProps: { mood: 'good' } })
  const { input, headers } = remote.inputs.findLast((each) => each.input.threadId === http.threadId)
  assert.deepEqual(RunAgentInputSchema.parse(input).tools, tools)
  assert.deepEqual(input.context, [{ description: 'Place', value: 'Rome' }])
  assert.deepEqual(input.forwardedProps, { mood: 'good' })
  assert.deepEqual(input.messages.at(-1).content.find(({ type }) => type === 'image').source, image.source)
  assert.equal(headers.authorization, undefined)
  assert.match(headers.accept, /text\/event-stream/)
})

everyClient('a remote agent fails', async (client) => {
  const http = nearby(client, { messages: [user('fail')] })
  const { error } = await run(http)
  assert.equal(error.code, 'told_to')
  assert.equal(error.message, 'As I was told')
  assert.equal((await say(http, 'and now')).answer, 'Remotely: and now (2 messages)')
})

everyClient('a stop reaches a remote agent', async (client) => {
  const http = nearby(client, { messages: [user('forever')] })
  const before = remote.left
  const end = run(http)
  // A run that is stopped earlier has nobody to leave.
  await until(() => remote.inputs.some(({ input }) => input.threadId === http.threadId), 'the remote agent was asked')
  assert.equal((await stop(http.threadId, {}, near)).stopped, true)
  const { outcome, error } = await end
  assert.equal(client.modern ? outcome : error?.code, 'cancelled')
  await until(() => remote.left > before, 'the remote agent was left')
})

for (const [text, answer] of [['hello', 'You said: hello'], ['/think of it', 'You said: of it'],
  ['/team a bridge', 'Researcher and Writer are done with: a bridge']]) {
  everyClient(`a second server answers ${text}`, async (client) => {
    const http = faraway(client)
    assert.equal((await say(http, text)).answer, answer)
    assert.equal((await say(http, 'thanks')).answer, 'You said: thanks')
    await assertSame(client, http, far)
  })
}

everyClient('a second server calls its tools, and those of the app', async (client) => {
  const http = faraway(client)
  assert.match((await say(http, 'weather in Rome')).answer, /^The weather in Rome: /)
  await say(http, '/tool pick_color {"of": "sky"}', { tools })
  const [toolCall] = http.messages.at(-1).toolCalls
  http.addMessage({ id: randomUUID(), role: 'tool', toolCallId: toolCall.id, content: 'blue' })
  assert.equal((await answered(http, { tools })).answer, 'The tool pick_color answered: blue')
  await assertSame(client, http, far)
})

everyClient('a second server asks, and keeps state', async (client) => {
  const http = faraway(client)
  await say(http, '/state {"count": 1}')
  assert.deepEqual(http.state, { count: 1, updated: true })
  http.addMessage(user('/approve Send it?'))
  const { interrupts } = await run(http)
  assert.equal((await answered(http, { resume: interrupts.map(approved) })).answer, 'Approved: Send it?')
  await assertSame(client, http, far)
})

everyClient('a second server fails, and is stopped', async (client) => {
  const http = faraway(client, { messages: [user('/fail')] })
  assert.equal((await run(http)).error.code, 'demo_failure')
  http.addMessage(user('/slow 400'))
  let words = 0
  const seen = await run(http, {}, { onTextMessageContentEvent: () => { if (++words === 5) void stop(http.threadId, {}, far) } })
  assert.equal(client.modern ? seen.outcome : seen.error?.code, 'cancelled')
})

await runChecks()
