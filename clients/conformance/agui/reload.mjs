// Reloads in the middle of an answer: whoever comes back has every word once.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { agent, connectUrl, everyClient, lastText, run, runChecks, runsOf, runUrl, stored, user, within } from './harness.mjs'

const RUNS = 5
const RELOADS = 10
const WORDS = 100
const LONGEST = 60_000
const SEED = Number(process.env.PARLEY_SEED)
const WHOLE = `${Array.from({ length: WORDS }, (_, n) => n + 1).join(' ')}.`

/** Numbers from 0 up to a limit, the same ones for the same seed. */
function random(seed) {
  let state = seed >>> 0
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/**
 * Reads on until so many words have come, then goes away, as a page does that is reloaded. If the end has come with those
 * words, fetch in node may never tell that it was left: then the end is enough.
 */
async function readSome(http, runId, words) {
  let seen = 0
  const reading = new Promise((resolve, reject) => {
    http.runAgent({ runId }, {
      onTextMessageContentEvent: () => { if (++seen === words) http.abortRun() },
      onRunFinishedEvent: () => resolve(),
    }).then(resolve, reject)
  })
  await within(LONGEST, () => `${seen} of ${words} words read at ${http.url}, up to ${lastText(http)}`, reading)
}

for (let each = 1; each <= RUNS; each++) {
  everyClient(`reload ${RELOADS} times in run ${each} (seed ${SEED + each})`, async (client) => {
    const number = random(SEED + each)
    const thread = randomUUID()
    const runId = randomUUID()
    const asked = user(`/slow ${WORDS}`)
    const begin = agent(client, { url: runUrl(), thread, messages: [asked] })
    await readSome(begin, runId, 1 + number(WORDS / RELOADS))
    for (let reload = 1; reload <= RELOADS; reload++) {
      const byConnect = number(2) === 0
      const known = byConnect ? undefined : runId
      const http = agent(client, byConnect ? { url: connectUrl(), thread } : { url: runUrl(), thread, messages: [asked] })
      if (reload < RELOADS) {
        await readSome(http, known, 1 + number(WORDS / RELOADS - 1))
        assert.ok(WHOLE.startsWith(lastText(http) ?? ''), `reload ${reload}: ${lastText(http)}`)
        assert.deepEqual(http.messages.map(({ role }) => role), ['user', 'assistant'])
      } else {
        const { outcome } = await within(LONGEST, () => `the end at ${http.url}, up to ${lastText(http)}`, run(http, { runId: known }))
        assert.equal(outcome, 'success')
        assert.equal(lastText(http), WHOLE)
        assert.equal(http.messages.length, 2)
      }
    }
    assert.equal((await runsOf(thread)).length, 1)
    assert.deepEqual((await stored(thread)).map(({ content }) => content), [`/slow ${WORDS}`, WHOLE])
  })
}

await runChecks(2 * RUNS)
