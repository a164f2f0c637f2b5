// Questions that end a run, and the runs that bring the answers.
import assert from 'node:assert/strict'
import { agent, answered, connected, everyClient, lastText, plain, rejected, run, runChecks, runsOf, say, stored, user } from './harness.mjs'

/** A thread on which a question is open. */
async function asked(client, question = 'Send it?') {
  const http = agent(client)
  http.addMessage(user(`/approve ${question}`))
  const seen = await run(http)
  assert.equal(seen.outcome, 'interrupt')
  assert.equal(seen.interrupts.length, 1)
  assert.equal(seen.interrupts[0].reason, 'approval')
  assert.equal(seen.interrupts[0].message, question)
  assert.deepEqual(http.pendingInterrupts, seen.interrupts)
  return { http, id: seen.interrupts[0].id }
}

const approved = (interruptId, yes = true) => ({ interruptId, status: 'resolved', payload: { approved: yes } })

for (const [what, entry, answer] of [
  ['approval', (id) => approved(id), 'Approved: Send it?'],
  ['refusal', (id) => approved(id, false), 'Declined: Send it?'],
  ['cancelled question', (interruptId) => ({ interruptId, status: 'cancelled' }), 'Cancelled: Send it?'],
]) {
  everyClient(`an ${what} goes on with the thread`.replace('an r', 'a r').replace('an c', 'a c'), async (client) => {
    const { http, id } = await asked(client)
    assert.equal((await answered(http, { resume: [entry(id)] })).answer, answer)
    assert.deepEqual(http.pendingInterrupts, [])
    assert.equal((await say(http, 'next')).answer, 'You said: next')
    assert.equal((await runsOf(http.threadId)).length, 3)
    assert.deepEqual(http.messages.map(({ role }) => role), ['user', 'assistant', 'user', 'assistant'])
  })
}

everyClient('an open question is there again for who comes new', async (client) => {
  const { http: first, id } = await asked(client)
  const { http, seen } = await connected(client, first.threadId)
  assert.equal(seen.outcome, 'interrupt')
  assert.deepEqual(seen.interrupts.map((each) => each.id), [id])
  assert.deepEqual(http.pendingInterrupts, seen.interrupts)
  assert.deepEqual(plain(http.messages), plain(first.messages))
  assert.equal((await answered(http, { resume: [approved(id)] })).answer, 'Approved: Send it?')
  const { http: last, seen: after } = await connected(client, first.threadId)
  assert.equal(after.outcome, 'success')
  assert.deepEqual(last.pendingInterrupts, [])
  assert.equal(lastText(last), 'Approved: Send it?')
})

everyClient('an answer that leaves a question open is refused', async (client) => {
  const { http, id } = await asked(client, 'First?')
  // One that knows of no question may ask another, as a second tab does.
  const second = agent(client, { thread: http.threadId, messages: [user('/approve Second?')] })
  const { interrupts } = await run(second)
  const ids = [id, ...interrupts.map((each) => each.id).filter((each) => each !== id)]
  assert.equal(ids.length, 2)
  for (const resume of [[approved(ids[0])], [approved(ids[1])], [approved('another')], [approved(ids[0]), approved('another')]]) {
    const error = await rejected(run(agent(client, { thread: http.threadId }), { resume }))
    assert.equal(error.status, 400)
    assert.ok(error.payload.error.code)
  }
  const fresh = agent(client, { thread: http.threadId })
  assert.equal((await answered(fresh, { resume: ids.map((each) => approved(each)) })).answer,
    'Approved: First?\nApproved: Second?')
})

everyClient('a question is answered once', async (client) => {
  const { http, id } = await asked(client)
  await answered(http, { resume: [approved(id)] })
  const error = await rejected(run(agent(client, { thread: http.threadId }), { resume: [approved(id, false)] }))
  assert.equal(error.status, 400)
  assert.doesNotMatch(JSON.stringify(await stored(http.threadId)), /Declined/)
})

await runChecks()
