import assert from 'node:assert/strict'
import OpenAI from 'openai'
import { all, check, origin, rejected, runChecks } from './harness.mjs'

const client = new OpenAI({ apiKey: 'key', baseURL: `${origin}/v1`, maxRetries: 0 })
const user = (content) => ({ role: 'user', content })
const body = (...messages) => ({ model: 'm', messages })
const stream = (scenario, options) =>
  client.chat.completions.create(
    { ...body(user(scenario)), stream: true, stream_options: { include_usage: true } },
    options,
  )
const final = (...messages) =>
  client.chat.completions
    .stream({ ...body(...messages), stream_options: { include_usage: true } })
    .finalChatCompletion()
const deltas = (chunks) => chunks.map(({ choices }) => choices[0]?.delta ?? {})

check('text comes in pieces, with its reason and its usage', async () => {
  const chunks = await all(stream('scenario-text'))
  assert.equal(deltas(chunks)[0].role, 'assistant')
  assert.deepEqual(deltas(chunks).map(({ content }) => content).filter(Boolean), ['Hel', 'lo ', 'you'])
  assert.deepEqual(chunks.map(({ choices }) => choices[0]?.finish_reason).filter(Boolean), ['stop'])
  const { usage } = chunks.at(-1)
  assert.deepEqual([usage.prompt_tokens, usage.completion_tokens, usage.total_tokens], [12, 5, 17])
  assert.equal(usage.prompt_tokens_details.cached_tokens, 4)
})

check('usage is told only if it is asked for', async () => {
  const chunks = await all(client.chat.completions.create({ ...body(user('scenario-text')), stream: true }))
  assert.ok(chunks.every(({ usage }) => usage === undefined))
})

check('reasoning comes apart from the text', async () => {
  const chunks = await all(stream('scenario-thinking'))
  assert.equal(deltas(chunks).map(({ reasoning_content }) => reasoning_content ?? '').join(''), 'Let me see')
  assert.equal(deltas(chunks).map(({ content }) => content ?? '').join(''), 'Yes')
})

check('a call comes with its arguments in pieces', async () => {
  const calls = deltas(await all(stream('scenario-call'))).flatMap(({ tool_calls }) => tool_calls ?? [])
  assert.deepEqual(calls[0], {
    index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' },
  })
  assert.deepEqual(calls.slice(1).map((call) => call.function.arguments), ['{"city":', '"Paris"}'])
})

check('the SDK puts parallel calls together', async () => {
  const { choices: [{ message, finish_reason }] } = await final(user('scenario-parallel'))
  assert.equal(finish_reason, 'tool_calls')
  assert.deepEqual(
    message.tool_calls.map(({ id, function: { name, arguments: given } }) => [id, name, JSON.parse(given)]),
    [['call_1', 'weather', { city: 'Paris' }], ['call_2', 'time', { zone: 'UTC' }]],
  )
})

check('a call answered with its result is taken', async () => {
  const { choices: [{ message }] } = await final(user('scenario-call'))
  const { role, content, tool_calls } = message
  const answer = await final(
    user('scenario-call'),
    { role, content, tool_calls: tool_calls.map(({ id, type, function: { name, arguments: given } }) =>
      ({ id, type, function: { name, arguments: given } })) },
    { role: 'tool', tool_call_id: 'call_1', content: 'scenario-text' },
  )
  assert.equal(answer.choices[0].message.content, 'Hello you')
})

check('a call without its result is refused', async () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } }
  const error = await rejected(
    client.chat.completions.create(body(user('Hi'), { role: 'assistant', tool_calls: [call] }, user('scenario-text'))),
  )
  assert.ok(error instanceof OpenAI.BadRequestError)
  assert.equal(error.type, 'invalid_request_error')
})

check('the whole answer says the same', async () => {
  const { choices: [{ message }], usage } = await client.chat.completions.create(body(user('scenario-call')))
  assert.equal(message.content, 'I look.')
  assert.equal(message.tool_calls[0].function.arguments, '{"city":"Paris"}')
  assert.ok(usage.total_tokens > 0)
})

check('an answer that is too long says so', async () => {
  const chunks = await all(stream('scenario-length'))
  assert.deepEqual(chunks.map(({ choices }) => choices[0]?.finish_reason).filter(Boolean), ['length'])
})

check('a 429 is an error of its own class', async () => {
  const error = await rejected(stream('scenario-limit'))
  assert.ok(error instanceof OpenAI.RateLimitError)
  assert.deepEqual([error.status, error.code, error.headers.get('retry-after')], [429, 'rate_limit_exceeded', '7'])
  assert.match(error.message, /Slow down/)
})

check('no key is an error of its own class', async () => {
  const error = await rejected(
    client.chat.completions.create(body(user('scenario-text')), { headers: { Authorization: null } }),
  )
  assert.ok(error instanceof OpenAI.AuthenticationError)
})

check('a cut raises', async () => {
  await rejected(all(stream('scenario-cut')))
})

check('an error in mid-stream raises with its message', async () => {
  const error = await rejected(all(stream('scenario-fault')))
  assert.ok(error instanceof OpenAI.APIError, error.stack)
  assert.equal(error.type, 'server_error')
  assert.match(error.message, /Overloaded/)
})

check('broken JSON raises', async () => {
  assert.ok((await rejected(all(stream('scenario-malformed')))) instanceof SyntaxError)
})

check('a client can leave', async () => {
  const aborting = new AbortController()
  for await (const { choices } of await stream('scenario-leave', { signal: aborting.signal })) {
    if (choices[0].delta.content === 'one') aborting.abort()
  }
})

await runChecks()
