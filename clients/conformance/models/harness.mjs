// Runs the checks of one SDK one after the other and prints one line of JSON for each and one at the end. The server
// chooses its script by the word that stands last in a request, such as `scenario-text`.
import assert from 'node:assert/strict'

export const origin = process.env.MODEL_ORIGIN

const LONGEST_CHECK = 30_000
const unhandled = []
const checks = []

export const check = (name, run) => checks.push({ name, run })

/** What a promise is refused with. */
export async function rejected(promise) {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new assert.AssertionError({ message: 'was not refused' })
}

/** Everything that an iterable gives. */
export async function all(iterable) {
  const given = []
  for await (const each of await iterable) given.push(each)
  return given
}

async function failureOf(name, run) {
  let timer
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${LONGEST_CHECK} ms: ${name}`)), LONGEST_CHECK)
  })
  try {
    await Promise.race([run(), late])
    return null
  } catch (error) {
    return String(error?.stack ?? error)
  } finally {
    clearTimeout(timer)
  }
}

export async function runChecks() {
  process.on('unhandledRejection', (error) => unhandled.push(String(error?.stack ?? error)))
  const tell = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)
  for (const { name, run } of checks) tell({ check: name, failure: await failureOf(name, run) })
  tell({ check: 'nothing is left unhandled', failure: unhandled.length === 0 ? null : unhandled.join('\n') })
  tell({ done: checks.length + 1 })
  process.exit(0)
}
