// Images in messages, in the ways in which apps send them.
import assert from 'node:assert/strict'
import { agent, call, connected, everyClient, runChecks, say, server, stored, token, user } from './harness.mjs'

const png = process.env.PARLEY_PNG
const DESCRIBED = /^You said: look\nI see an image: image\/png, \d+ bytes, 3 × 2 pixels\.$/
const text = { type: 'text', text: 'look' }
const modern = { type: 'image', source: { type: 'data', value: png, mimeType: 'image/png' } }
const older = { type: 'binary', mimeType: 'image/png', data: png }

async function uploaded() {
  const form = new FormData()
  form.append('file', new Blob([Buffer.from(png, 'base64')], { type: 'image/png' }), 'picture.png')
  const answer = await fetch(`${server}/api/v1/agent/attachments`, {
    method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: form,
  })
  assert.equal(answer.status, 201)
  return (await answer.json()).url
}

/** What hangs on the messages of a thread, by message. */
const attached = async (http) =>
  (await call(`/api/v1/agent/history?threadId=${http.threadId}`)).messages
    .filter(({ role }) => role === 'user').map(({ attachments }) => attachments.length)

async function assertKept(client, http, images) {
  assert.deepEqual(await attached(http), images)
  assert.ok(!JSON.stringify(await stored(http.threadId)).includes(png))
  const { http: fresh, seen } = await connected(client, http.threadId)
  assert.ok(!JSON.stringify(seen.events).includes(png))
  const parts = fresh.messages[0].content
  assert.deepEqual(parts.map(({ type }) => type).filter((type) => type !== 'text'), ['image'])
  const shown = await fetch(new URL(parts.find(({ type }) => type === 'image').source.value, server))
  assert.equal(shown.status, 200)
  assert.equal(Buffer.from(await shown.arrayBuffer()).toString('base64'), png)
}

for (const [what, parts] of [
  ['an image by its data', async () => [text, modern]],
  ['an image by its data, as older apps send it', async () => [text, older]],
  ['an image by its URL', async () => [text, { type: 'image', source: { type: 'url', value: await uploaded(), mimeType: 'image/png' } }]],
  ['an image by its URL, as older apps send it', async () => [text, { type: 'binary', mimeType: 'image/png', url: await uploaded() }]],
  ['an image in the new and the old way at once', async () => [text, modern, older]],
  ['an image in the old and the new way at once', async () => [older, modern, text]],
]) {
  everyClient(`${what} is seen and kept once`, async (client) => {
    const http = agent(client)
    assert.match((await say(http, user(await parts()))).answer, DESCRIBED)
    await assertKept(client, http, [1])
    assert.equal((await say(http, 'and now?')).answer, 'You said: and now?')
    await assertKept(client, http, [1, 0])
  })
}

everyClient('two images are two', async (client) => {
  const http = agent(client)
  const other = { type: 'image', source: { type: 'data', value: process.env.PARLEY_OTHER_PNG, mimeType: 'image/png' } }
  assert.match((await say(http, user([text, modern, other]))).answer, /3 × 2 pixels\.\nI see .* 5 × 4 pixels\.$/)
  assert.deepEqual(await attached(http), [2])
})

everyClient('what comes back from the server may be sent again', async (client) => {
  const first = agent(client)
  await say(first, user([text, modern]))
  const { http } = await connected(client, first.threadId)
  assert.equal((await say(http, 'once more')).answer, 'You said: once more')
  assert.deepEqual(await attached(http), [1, 0])
})

await runChecks()
