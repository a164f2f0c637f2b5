import assert from 'node:assert/strict'
import { ApiError, GoogleGenAI } from '@google/genai'
import { all, check, origin, rejected, runChecks } from './harness.mjs'

const client = new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: origin } })
const user = (...parts) => ({ role: 'user', parts })
const stream = (scenario, config) =>
  client.models.generateContentStream({ model: 'm', contents: scenario, config })
const parts = (chunks) => chunks.flatMap(({ candidates }) => candidates?.[0].content?.parts ?? [])
const texts = (chunks) => parts(chunks).filter(({ text, thought }) => text && !thought).map(({ text }) => text)

check('text comes in pieces, with its reason and its usage', async () => {
  const chunks = await all(stream('scenario-text'))
  assert.deepEqual(texts(chunks), ['Hel', 'lo ', 'you'])
  const { candidates: [{ finishReason }], usageMetadata } = chunks.at(-1)
  assert.equal(finishReason, 'STOP')
  const { promptTokenCount, candidatesTokenCount, totalTokenCount, cachedContentTokenCount } = usageMetadata
  assert.deepEqual([promptTokenCount, candidatesTokenCount, totalTokenCount, cachedContentTokenCount], [12, 5, 17, 4])
})

check('a thought comes apart from the text', async () => {
  const chunks = await all(stream('scenario-thinking'))
  assert.equal(parts(chunks).filter(({ thought }) => thought).map(({ text }) => text).join(''), 'Let me see')
  assert.deepEqual(texts(chunks), ['Yes'])
})

check('a call comes whole', async () => {
  const calls = (await all(stream('scenario-call'))).flatMap(({ functionCalls }) => functionCalls ?? [])
  assert.deepEqual(calls, [{ id: 'call_1', name: 'weather', args: { city: 'Paris' } }])
})

check('parallel calls come in one turn', async () => {
  const calls = (await all(stream('scenario-parallel'))).flatMap(({ functionCalls }) => functionCalls ?? [])
  assert.deepEqual(
    calls.map(({ id, name, args }) => [id, name, args]),
    [['call_1', 'weather', { city: 'Paris' }], ['call_2', 'time', { zone: 'UTC' }]],
  )
})

check('a chat answers a call with its result', async () => {
  const chat = client.chats.create({ model: 'm' })
  const { functionCalls: [{ id, name }] } = await chat.sendMessage({ message: 'scenario-call' })
  const result = { functionResponse: { id, name, response: { output: 'scenario-text' } } }
  assert.deepEqual(texts(await all(chat.sendMessageStream({ message: result }))), ['Hel', 'lo ', 'you'])
})

check('a call without its result is refused', async () => {
  const call = { role: 'model', parts: [{ functionCall: { name: 'weather', args: {} } }] }
  const error = await rejected(
    client.models.generateContent({
      model: 'm', contents: [user({ text: 'Hi' }), call, user({ text: 'scenario-text' })],
    }),
  )
  assert.ok(error instanceof ApiError)
  assert.equal(error.status, 400)
  assert.match(error.message, /INVALID_ARGUMENT/)
})

check('the whole answer says the same', async () => {
  const answer = await client.models.generateContent({ model: 'm', contents: 'scenario-call' })
  assert.equal(answer.candidates[0].content.parts[0].text, 'I look.')
  assert.deepEqual(answer.functionCalls[0].args, { city: 'Paris' })
  assert.ok(answer.usageMetadata.totalTokenCount > 0)
})

check('an answer that is too long says so', async () => {
  assert.equal((await all(stream('scenario-length'))).at(-1).candidates[0].finishReason, 'MAX_TOKENS')
})

check('a 429 is an error with its status', async () => {
  const error = await rejected(stream('scenario-limit'))
  assert.ok(error instanceof ApiError)
  assert.equal(error.status, 429)
  assert.match(error.message, /Slow down.*RESOURCE_EXHAUSTED/)
})

check('a cut raises', async () => {
  await rejected(all(stream('scenario-cut')))
})

check('an error in mid-stream raises with its message', async () => {
  const error = await rejected(all(stream('scenario-fault')))
  assert.ok(error instanceof ApiError, error.stack)
  assert.equal(error.status, 503)
  assert.match(error.message, /Overloaded/)
})

check('broken JSON raises', async () => {
  await rejected(all(stream('scenario-malformed')))
})

check('a client can leave', async () => {
  const aborting = new AbortController()
  const leaving = (async () => {
    for await (const { text } of await stream('scenario-leave', { abortSignal: aborting.signal })) {
      if (text === 'one') aborting.abort()
    }
  })()
  assert.equal((await rejected(leaving)).name, 'AbortError')
})

await runChecks()
