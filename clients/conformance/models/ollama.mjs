import assert from 'node:assert/strict'
import { Ollama } from 'ollama'
import { all, check, origin, rejected, runChecks } from './harness.mjs'

const client = new Ollama({ host: origin })
const user = (content) => ({ role: 'user', content })
const stream = (...messages) => client.chat({ model: 'm', stream: true, messages })
const calls = (chunks) => chunks.flatMap(({ message }) => message.tool_calls ?? []).map((call) => call.function)

check('text comes in pieces, with its reason and its counts', async () => {
  const chunks = await all(stream(user('scenario-text')))
  assert.deepEqual(chunks.map(({ message }) => message.content).filter(Boolean), ['Hel', 'lo ', 'you'])
  assert.deepEqual(chunks.map(({ done }) => done), [false, false, false, true])
  const { done_reason, prompt_eval_count, eval_count } = chunks.at(-1)
  assert.deepEqual([done_reason, prompt_eval_count, eval_count], ['stop', 12, 5])
})

check('a thought comes apart from the text', async () => {
  const chunks = await all(stream(user('scenario-thinking')))
  assert.equal(chunks.map(({ message }) => message.thinking ?? '').join(''), 'Let me see')
  assert.equal(chunks.map(({ message }) => message.content).join(''), 'Yes')
})

check('a call comes whole', async () => {
  assert.deepEqual(calls(await all(stream(user('scenario-call')))), [
    { index: 0, name: 'weather', arguments: { city: 'Paris' } },
  ])
})

check('parallel calls come one after the other', async () => {
  assert.deepEqual(
    calls(await all(stream(user('scenario-parallel')))).map(({ name, arguments: given }) => [name, given]),
    [['weather', { city: 'Paris' }], ['time', { zone: 'UTC' }]],
  )
})

check('a call answered with its result is taken', async () => {
  const { message } = await client.chat({ model: 'm', messages: [user('scenario-call')] })
  const result = { role: 'tool', tool_name: 'weather', content: 'scenario-text' }
  const chunks = await all(stream(user('scenario-call'), message, result))
  assert.equal(chunks.map((chunk) => chunk.message.content).join(''), 'Hello you')
})

check('a call without its result is refused', async () => {
  const call = { function: { name: 'weather', arguments: {} } }
  const error = await rejected(
    stream(user('Hi'), { role: 'assistant', content: '', tool_calls: [call] }, user('scenario-text')),
  )
  assert.equal(error.status_code, 400)
})

check('the whole answer says the same', async () => {
  const { message, done, eval_count } = await client.chat({ model: 'm', messages: [user('scenario-call')] })
  assert.equal(message.content, 'I look.')
  assert.deepEqual(message.tool_calls[0].function.arguments, { city: 'Paris' })
  assert.ok(done)
  assert.ok(eval_count > 0)
})

check('an answer that is too long says so', async () => {
  assert.equal((await all(stream(user('scenario-length')))).at(-1).done_reason, 'length')
})

check('a 429 is an error with its status', async () => {
  const error = await rejected(stream(user('scenario-limit')))
  assert.deepEqual([error.name, error.status_code, error.error], ['ResponseError', 429, 'Slow down'])
})

check('a cut raises', async () => {
  await rejected(all(stream(user('scenario-cut'))))
})

check('an error in mid-stream raises with its message', async () => {
  assert.match((await rejected(all(stream(user('scenario-fault'))))).message, /Overloaded/)
})

check('broken JSON is skipped', async () => {
  const chunks = await all(stream(user('scenario-malformed')))
  assert.deepEqual(chunks.map(({ message }) => message.content), ['one', 'two', ''])
})

check('a client can leave', async () => {
  const answer = await stream(user('scenario-leave'))
  const leaving = (async () => {
    for await (const { message } of answer) if (message.content === 'one') answer.abort()
  })()
  assert.equal((await rejected(leaving)).name, 'AbortError')
})

await runChecks()
