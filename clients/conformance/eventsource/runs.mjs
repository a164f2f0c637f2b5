// EventSource as it is published, on the stream of one run. Prints one line of JSON for each check, and one at the end; a
// check that fails says why.
import assert from 'node:assert/strict'
import { EventSource } from 'eventsource'

const server = process.env.PARLEY_URL
const token = process.env.PARLEY_TOKEN
const LIMIT = 60_000
const bearer = { Authorization: `Bearer ${token}` }

const checks = []
const check = (name, run) => checks.push({ name, run })

async function posted(path, body, status) {
  const headers = { ...bearer, 'Content-Type': 'application/json' }
  const answer = await fetch(`${server}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.equal(answer.status, status, await answer.clone().text())
  return answer.json()
}

async function started(threadId, runId, content) {
  await posted('/api/v1/agent/runs', { threadId, runId, messages: [{ id: runId, role: 'user', content }] }, 202)
  return `/api/v1/agent/runs/${threadId}/events?runId=${runId}`
}

/** Listens until the source stops by itself: the events with their ids, and the status of every answer. */
function heard(path, headers = bearer) {
  const events = []
  const statuses = []
  const source = new EventSource(`${server}${path}`, {
    fetch: async (url, init) => {
      const answer = await fetch(url, { ...init, headers: { ...init.headers, ...headers } })
      statuses.push(answer.status)
      return answer
    },
  })
  for (const type of ['RUN_STARTED', 'TEXT_MESSAGE_CONTENT', 'CUSTOM', 'RUN_FINISHED', 'RUN_ERROR']) {
    source.addEventListener(type, ({ lastEventId, data }) => events.push({ id: Number(lastEventId), ...JSON.parse(data) }))
  }
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      source.close()
      reject(new Error(`still open after ${LIMIT} ms, with the answers ${statuses}`))
    }, LIMIT)
    source.addEventListener('error', () => {
      if (source.readyState === source.CLOSED) {
        clearTimeout(late)
        resolve({ events, statuses })
      }
    })
  })
}

const text = (events) => events.map(({ delta }) => delta ?? '').join('')

function isWhole({ events, statuses }, types) {
  assert.deepEqual(statuses, [200, 204])
  assert.deepEqual([events.at(0).type, events.at(-1).type], types)
  const ids = events.map(({ id }) => id)
  assert.deepEqual(ids, [...new Set(ids)].sort((a, b) => a - b))
}

check('stops after the end of a run that it followed', async () => {
  const path = await started(crypto.randomUUID(), 'r', '/slow 5')
  isWhole(await heard(path), ['RUN_STARTED', 'RUN_FINISHED'])
})

check('stops after the replay of a run that was over, also when others followed it', async () => {
  const thread = crypto.randomUUID()
  const path = await started(thread, 'first', '你好 👋 مرحبا')
  const [live, second] = await Promise.all([heard(path), started(thread, 'second', 'later').then((later) => heard(later))])
  isWhole(second, ['RUN_STARTED', 'RUN_FINISHED'])
  const replayed = await heard(path)
  isWhole(replayed, ['RUN_STARTED', 'RUN_FINISHED'])
  assert.equal(text(replayed.events), 'You said: 你好 👋 مرحبا')
  assert.equal(text(live.events), text(replayed.events))
})

check('stops after the end of a run that failed', async () => {
  isWhole(await heard(await started(crypto.randomUUID(), 'r', '/fail')), ['RUN_STARTED', 'RUN_ERROR'])
})

check('stops by a ticket in the address, without a header', async () => {
  const path = await started(crypto.randomUUID(), 'r', '/slow 5')
  const { ticket } = await posted('/api/v1/auth/stream-tickets', { path: path.split('?')[0] }, 201)
  isWhole(await heard(`${path}&ticket=${ticket}`, {}), ['RUN_STARTED', 'RUN_FINISHED'])
})

check('asks once when it begins at the end', async () => {
  const path = await started(crypto.randomUUID(), 'r', 'hello')
  const { events } = await heard(path)
  const again = await heard(`${path}&after=${events.at(-1).id}`)
  assert.deepEqual(again, { events: [], statuses: [204] })
})

// Side by side: each waits some seconds before it asks again.
await Promise.all(
  checks.map(async ({ name, run }) => {
    let failure = null
    try {
      await run()
    } catch (error) {
      failure = String(error?.stack ?? error)
    }
    console.log(JSON.stringify({ check: name, failure }))
  }),
)
console.log(JSON.stringify({ done: checks.length }))
process.exit(0)
