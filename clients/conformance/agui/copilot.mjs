// The core of CopilotKit in a page that has no runtime of its own but this server.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'

globalThis.window = {}
process.env.DO_NOT_TRACK = '1'
const { CopilotKitCore } = await import('@copilotkit/core')
const { base, check, runChecks, runsOf, stored, token, until, user } = await import('./harness.mjs')

/** A page that has just been loaded. */
async function page(thread = randomUUID(), tools = []) {
  const errors = []
  const core = new CopilotKitCore({
    runtimeUrl: base, runtimeTransport: 'rest', headers: { Authorization: `Bearer ${token}` }, tools,
  })
  core.subscribe({ onError: ({ error, code }) => void errors.push(`${code}: ${error}`) })
  await until(() => core.runtimeConnectionStatus === 'connected', 'the page knows the agents')
  const agent = core.getAgent('default')
  agent.threadId = thread
  return {
    core,
    agent,
    errors,
    connect: () => core.connectAgent({ agent }),
    say: async (text) => {
      agent.addMessage(user(text))
      await core.runAgent({ agent })
      assert.deepEqual(errors, [])
      return agent.messages.at(-1).content
    },
  }
}

check('the agents are told', async () => {
  const { core, agent } = await page()
  assert.ok(agent)
  assert.ok(Object.keys(core.agents).length >= 1)
  assert.match(core.runtimeVersion, /\S/)
})

check('a thread that is empty, and one that is not', async () => {
  const first = await page()
  await first.connect()
  assert.deepEqual(first.errors, [])
  assert.deepEqual(first.agent.messages, [])
  assert.equal(await first.say('hello'), 'You said: hello')
  await first.say('/state {"theme": "dark"}')
  assert.deepEqual(first.agent.state, { theme: 'dark', updated: true })
  const second = await page(first.agent.threadId)
  await second.connect()
  assert.deepEqual(second.errors, [])
  assert.deepEqual(second.agent.messages.map(({ id, content }) => [id, content]),
    first.agent.messages.map(({ id, content }) => [id, content]))
  assert.deepEqual(second.agent.state, first.agent.state)
  assert.equal(await second.say('again'), 'You said: again')
  assert.equal((await stored(first.agent.threadId)).length, 6)
})

check('a page that is loaded while it speaks hears the rest', async () => {
  const first = await page()
  await first.connect()
  const whole = first.say('/slow 30')
  await until(() => first.agent.messages.at(-1)?.role === 'assistant', 'it speaks')
  const second = await page(first.agent.threadId)
  await second.connect()
  assert.equal(second.agent.messages.at(-1).content, await whole)
  assert.match(await whole, / 29 30\.$/)
})

check("a tool of the page's", async () => {
  const asked = []
  const { agent, say } = await page(randomUUID(), [{
    name: 'pick_color',
    description: 'Lets you pick',
    handler: async (args) => {
      asked.push(args)
      return 'blue'
    },
  }])
  assert.equal(await say('/tool pick_color {"of": "sky"}'), 'The tool pick_color answered: blue')
  assert.deepEqual(asked, [{ of: 'sky' }])
  assert.equal((await runsOf(agent.threadId)).length, 2)
})

check('a stop', async () => {
  const { core, agent } = await page()
  agent.addMessage(user('/slow 400'))
  const end = core.runAgent({ agent })
  await until(() => /^1 2 3/.test(agent.messages.at(-1)?.content), 'it speaks')
  core.stopAgent({ agent })
  await end
  assert.equal((await runsOf(agent.threadId))[0].state, 'cancelled')
  assert.match((await stored(agent.threadId))[1].content, /^1 2 3/)
  assert.equal(agent.isRunning, false)
})

check('an approval', async () => {
  const { core, agent, errors, say } = await page()
  agent.addMessage(user('/approve Send it?'))
  await core.runAgent({ agent })
  const [question] = agent.pendingInterrupts
  const second = await page(agent.threadId)
  await second.connect()
  assert.deepEqual(second.agent.pendingInterrupts.map(({ id }) => id), [question.id])
  await core.runAgent({ agent, resume: [{ interruptId: question.id, status: 'resolved', payload: { approved: true } }] })
  assert.deepEqual(errors, [])
  assert.equal(agent.messages.at(-1).content, 'Approved: Send it?')
  assert.equal(await say('next'), 'You said: next')
})

await runChecks()
