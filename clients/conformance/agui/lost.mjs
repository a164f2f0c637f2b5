// A server that is killed in the middle of an answer. In the first phase runs are begun and left alone; in the second, with
// the server started again, clients come back to them.
import assert from 'node:assert/strict'
import { agent, clients, connected, everyClient, lastText, run, runChecks, say, user } from './harness.mjs'

const asked = (client) => user('/slow 2000', `asked by ${client.version}`)
const thread = (client, way) => `lost by ${client.version}, found by ${way}`
const WAYS = ['connecting', 'asking again']
const runId = 'lost'

/** Gives once some words have come. */
const speaking = (client, way) => new Promise((resolve) => {
  let words = 0
  const http = agent(client, { thread: thread(client, way), messages: [asked(client)] })
  void http.runAgent({ runId }, { onTextMessageContentEvent: () => { if (++words === 5) resolve() } })
})

if (process.env.PARLEY_PHASE === 'before') {
  await Promise.all(clients.flatMap((client) => WAYS.map((way) => speaking(client, way))))
  process.exit(0)
}

async function assertEnd(client, http, seen) {
  assert.equal(seen.error?.code, 'interrupted', JSON.stringify(seen.ends ?? seen.finished))
  assert.match(lastText(http), /^1 2 3 4 5( \d+)* ?$/)
  assert.equal(http.messages.length, 2)
  http.url = agent(client).url
  assert.equal((await say(http, 'are you back?')).answer, 'You said: are you back?')
}

everyClient('who connects hears that the run was interrupted, and what it had said', async (client) => {
  const { http, seen } = await connected(client, thread(client, WAYS[0]))
  await assertEnd(client, http, seen)
})

everyClient('who asks for the run again hears that it was interrupted, and what it had said', async (client) => {
  const http = agent(client, { thread: thread(client, WAYS[1]), messages: [asked(client)] })
  await assertEnd(client, http, await run(http, { runId }))
})

await runChecks()
