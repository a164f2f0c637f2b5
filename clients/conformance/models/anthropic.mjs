import assert from 'node:assert/strict'
import Anthropic from '@anthropic-ai/sdk'
import { all, check, origin, rejected, runChecks } from './harness.mjs'

const client = new Anthropic({ apiKey: 'key', authToken: null, baseURL: origin, maxRetries: 0 })
const user = (content) => ({ role: 'user', content })
const body = (...messages) => ({ model: 'm', max_tokens: 2048, messages })
const stream = (scenario, options) => client.messages.create({ ...body(user(scenario)), stream: true }, options)
const final = (...messages) => client.messages.stream(body(...messages)).finalMessage()

check('text comes in pieces, with its reason and its usage', async () => {
  const events = await all(stream('scenario-text'))
  assert.deepEqual(events.map(({ type }) => type).filter((type) => type !== 'ping'), [
    'message_start', 'content_block_start', 'content_block_delta', 'content_block_delta', 'content_block_delta',
    'content_block_stop', 'message_delta', 'message_stop',
  ])
  assert.deepEqual(
    events.filter(({ delta }) => delta?.type === 'text_delta').map(({ delta }) => delta.text),
    ['Hel', 'lo ', 'you'],
  )
  const message = await final(user('scenario-text'))
  assert.equal(message.stop_reason, 'end_turn')
  const { input_tokens, cache_read_input_tokens, output_tokens } = message.usage
  assert.deepEqual([input_tokens, cache_read_input_tokens, output_tokens], [8, 4, 5])
})

check('a thought is a signed block before the text', async () => {
  const { content } = await final(user('scenario-thinking'))
  assert.deepEqual(content.map(({ type }) => type), ['thinking', 'text'])
  assert.equal(content[0].thinking, 'Let me see')
  assert.ok(content[0].signature)
  assert.equal(content[1].text, 'Yes')
})

check('a call comes with its arguments in pieces', async () => {
  const events = await all(stream('scenario-call'))
  const start = events.find(({ content_block }) => content_block?.type === 'tool_use')
  assert.deepEqual([start.index, start.content_block.id, start.content_block.name], [1, 'call_1', 'weather'])
  const pieces = events.filter(({ delta }) => delta?.type === 'input_json_delta')
  assert.deepEqual(pieces.map(({ delta }) => delta.partial_json), ['', '{"city":', '"Paris"}'])
})

check('the SDK puts parallel calls together', async () => {
  const { content, stop_reason } = await final(user('scenario-parallel'))
  assert.equal(stop_reason, 'tool_use')
  assert.deepEqual(
    content.map(({ id, name, input }) => [id, name, input]),
    [['call_1', 'weather', { city: 'Paris' }], ['call_2', 'time', { zone: 'UTC' }]],
  )
})

check('a call answered with its result is taken', async () => {
  const { role, content } = await final(user('scenario-call'))
  const answer = await final(
    user('scenario-call'),
    { role, content },
    user([{ type: 'tool_result', tool_use_id: 'call_1', content: 'scenario-text' }]),
  )
  assert.equal(answer.content[0].text, 'Hello you')
})

check('a call without its result is refused', async () => {
  const call = { type: 'tool_use', id: 'call_1', name: 'weather', input: {} }
  const error = await rejected(
    client.messages.create(body(user('Hi'), { role: 'assistant', content: [call] }, user('scenario-text'))),
  )
  assert.ok(error instanceof Anthropic.BadRequestError)
  assert.equal(error.error.error.type, 'invalid_request_error')
})

check('the whole answer says the same', async () => {
  const { content, stop_reason, usage } = await client.messages.create(body(user('scenario-call')))
  assert.deepEqual(content.map(({ type }) => type), ['text', 'tool_use'])
  assert.deepEqual(content[1].input, { city: 'Paris' })
  assert.equal(stop_reason, 'tool_use')
  assert.ok(usage.output_tokens > 0)
})

check('an answer that is too long says so', async () => {
  assert.equal((await final(user('scenario-length'))).stop_reason, 'max_tokens')
})

check('a 429 is an error of its own class', async () => {
  const error = await rejected(stream('scenario-limit'))
  assert.ok(error instanceof Anthropic.RateLimitError)
  assert.deepEqual([error.status, error.headers.get('retry-after')], [429, '7'])
  assert.equal(error.error.error.type, 'rate_limit_error')
  assert.match(error.message, /Slow down/)
})

check('a cut raises', async () => {
  await rejected(all(stream('scenario-cut')))
  await rejected(final(user('scenario-cut')))
})

check('an error in mid-stream raises with its message', async () => {
  const error = await rejected(all(stream('scenario-fault')))
  assert.ok(error instanceof Anthropic.APIError, error.stack)
  assert.match(error.message, /overloaded_error.*Overloaded/)
})

check('broken JSON raises', async () => {
  await rejected(all(stream('scenario-malformed')))
})

check('a client can leave', async () => {
  const aborting = new AbortController()
  for await (const { delta } of await stream('scenario-leave', { signal: aborting.signal })) {
    if (delta?.text === 'one') aborting.abort()
  }
})

await runChecks()
