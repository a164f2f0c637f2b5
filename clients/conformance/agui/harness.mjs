// Runs the checks of one theme, several at a time, and prints one line of JSON for each and one at the end. A check fails
// by what it asserts, by any warning of a client about what it received, and by a run without an end.
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import * as modern from '@ag-ui/client'
import * as older from '@ag-ui/client-0.0'

export const server = process.env.PARLEY_URL
export const base = `${server}/api/v1/agui`
export const token = process.env.PARLEY_TOKEN
export const otherToken = process.env.PARLEY_OTHER_TOKEN

const AT_ONCE = 6
const LONGEST_CHECK = 150_000

/** The published clients, by version. `modern` ones announce the version of the protocol that they speak. */
export const clients = [
  { version: '1.0.0', modern: true, ...modern },
  { version: '0.0.59', modern: false, ...older },
]

const current = new AsyncLocalStorage()
const unhandled = []
const checks = []

export const check = (name, run) => checks.push({ name, run })

/** A check of its own with each published client. */
export const everyClient = (name, run) => {
  for (const client of clients) check(`${client.version}: ${name}`, () => run(client))
}

/** The user of the same machine has no token. */
const bearing = (credential) => (credential ? { Authorization: `Bearer ${credential}` } : {})

/** A client on a thread. It is handed out as it is; `run` looks on. */
export const agent = (client, options = {}) =>
  new client.HttpAgent({
    url: options.url ?? base,
    threadId: options.thread ?? randomUUID(),
    headers: bearing(options.token === undefined ? token : options.token),
    initialMessages: options.messages,
    initialState: options.state,
  })

export const runUrl = (id = 'default') => `${base}/agent/${id}/run`
export const connectUrl = (id = 'default') => `${base}/agent/${id}/connect`

export const user = (content, id = randomUUID()) => ({ id, role: 'user', content })

/** Runs once and tells what was seen. Without an exact end it fails, since the clients take any end of a stream for one. */
export async function run(http, parameters = {}, subscriber = {}) {
  const seen = { events: [], ends: [] }
  const given = parameters.runId
  const { result, newMessages } = await http.runAgent(parameters, {
    ...subscriber,
    onEvent: ({ event }) => void seen.events.push(event),
    onRunFinishedEvent: ({ event, outcome, interrupts, pendingToolCallIds }) =>
      void seen.ends.push({ finished: event, outcome, interrupts, pendingToolCallIds }),
    onRunErrorEvent: ({ event }) => void seen.ends.push({ error: event }),
  })
  assert.equal(seen.ends.length, 1, `ends: ${JSON.stringify(seen.ends)}`)
  const [end] = seen.ends
  for (const event of [seen.events.find(({ type }) => type === 'RUN_STARTED'), end.finished]) {
    if (!event) continue
    assert.equal(event.threadId, http.threadId)
    if (given) assert.equal(event.runId, given)
  }
  return { ...end, events: seen.events, result, newMessages, types: seen.events.map(({ type }) => type) }
}

/** Says something, and gives the run and the text of its last answer. */
export async function say(http, text, parameters = {}, subscriber = {}) {
  http.addMessage(typeof text === 'string' ? user(text) : text)
  return answered(http, parameters, subscriber)
}

export async function answered(http, parameters = {}, subscriber = {}) {
  const seen = await run(http, parameters, subscriber)
  assert.equal(seen.error, undefined, JSON.stringify(seen.error))
  return { ...seen, answer: lastText(http) }
}

export const lastText = (http) => http.messages.findLast(({ role }) => role === 'assistant')?.content

/** A client that was not there before, on the thread as the server tells it. */
export async function connected(client, thread, options = {}) {
  const http = agent(client, { url: connectUrl(options.id), ...options, thread })
  const seen = await run(http, {}, options.subscriber)
  http.url = runUrl(options.id)
  return { http, seen }
}

/** What a client refuses to resolve. */
export async function rejected(promise) {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new assert.AssertionError({ message: 'was not refused' })
}

/** Calls the server past the clients. */
export async function call(path, { method = 'GET', body, token: bearer = token } = {}) {
  const answer = await fetch(`${server}${path}`, {
    method,
    headers: { ...bearing(bearer), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await answer.text()
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** All that the log of a thread holds, oldest first. */
export async function stored(thread, bearer = token) {
  const all = []
  for (let after = 0; ;) {
    const page = await call(`/api/v1/chat/threads/${thread}/messages?after_seq=${after}&limit=200`, { token: bearer })
    all.push(...page.messages)
    if (!page.has_more) return all
    after = page.next_after_seq
  }
}

export const runsOf = async (thread) => (await call(`/api/v1/agent/threads/${thread}/runs`)).runs

export const stop = (thread, body = {}, id = 'default') =>
  call(`/api/v1/agui/agent/${id}/stop/${encodeURIComponent(thread)}`, { method: 'POST', body })

/** Waits until something holds. */
export async function until(holds, what) {
  for (const end = Date.now() + 20_000; Date.now() < end; await new Promise((later) => setTimeout(later, 20))) {
    if (await holds()) return
  }
  assert.fail(`not within 20 s: ${what}`)
}

/** What may be read twice must be the same both times: messages without what is said about them. */
export const plain = (messages) =>
  messages.map(({ metadata, toolCalls, ...rest }) => ({
    ...rest,
    ...(toolCalls ? { toolCalls: toolCalls.map(({ metadata, ...each }) => each) } : {}),
  }))

/** Fails if something takes too long, and tells what. */
export async function within(limit, what, promise) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${limit} ms: ${what()}`)), limit)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

async function failureOf(name, run) {
  const warnings = []
  try {
    await within(LONGEST_CHECK, () => name, current.run(warnings, run))
    assert.deepEqual(warnings, [])
    return null
  } catch (error) {
    return [String(error?.stack ?? error), ...warnings].join('\n')
  }
}

export async function runChecks(atOnce = AT_ONCE) {
  for (const level of ['warn', 'error']) {
    console[level] = (...said) => {
      const text = said.map(String).join(' ')
      if (text.includes('[ag-ui]')) (current.getStore() ?? unhandled).push(text)
    }
  }
  process.on('unhandledRejection', (error) => unhandled.push(String(error?.stack ?? error)))
  const tell = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)
  const waiting = checks.values()
  const work = async () => {
    for (const { name, run } of waiting) {
      const began = Date.now()
      tell({ check: name, failure: await failureOf(name, run), ms: Date.now() - began })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  tell({ check: 'nothing is left unhandled', failure: unhandled.length === 0 ? null : unhandled.join('\n') })
  tell({ done: checks.length + 1 })
  process.exit(0)
}
