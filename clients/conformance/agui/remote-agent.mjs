// An agent made with the protocol's own packages, as people write them: it knows nothing of the server that calls it.
import { createServer } from 'node:http'
import { randomUUID } from 'node:crypto'
import { EventType } from '@ag-ui/core'
import { EventEncoder } from '@ag-ui/encoder'

const textOf = ({ content }) =>
  typeof content === 'string' ? content : content.filter(({ type }) => type === 'text').map(({ text }) => text).join('')

function* said(text) {
  const messageId = randomUUID()
  yield { type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' }
  for (const delta of text.split(/(?<= )/)) yield { type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta }
  yield { type: EventType.TEXT_MESSAGE_END, messageId }
}

function* called(toolCallName, args) {
  const toolCallId = randomUUID()
  yield { type: EventType.TOOL_CALL_START, toolCallId, toolCallName, parentMessageId: randomUUID() }
  for (const delta of JSON.stringify(args).match(/.{1,5}/g)) yield { type: EventType.TOOL_CALL_ARGS, toolCallId, delta }
  yield { type: EventType.TOOL_CALL_END, toolCallId }
  return toolCallId
}

/** What a run says between its start and its end; what it returns is how it ended. */
function* answer({ messages, tools, state, resume }) {
  const last = messages.at(-1)
  const text = last?.role === 'user' ? textOf(last) : ''
  if (resume?.length > 0) {
    yield* said(`Decided: ${JSON.stringify(resume.map(({ status, payload }) => [status, payload]))}`)
  } else if (last?.role === 'tool') {
    yield* said(`The app answered: ${textOf(last)}`)
  } else if (text === 'tool') {
    const toolCallId = yield* called('lookup', { word: 'tree' })
    yield { type: EventType.TOOL_CALL_RESULT, messageId: randomUUID(), toolCallId, content: 'a plant', role: 'tool' }
    yield* said('A tree is a plant')
  } else if (text === 'app tool') {
    yield* called(tools[0].name, { of: 'sky' })
  } else if (text === 'ask') {
    return { type: 'interrupt', interrupts: [{ id: randomUUID(), reason: 'approval', message: 'Really?' }] }
  } else if (text === 'state') {
    yield { type: EventType.STATE_SNAPSHOT, snapshot: { count: 1 } }
    yield { type: EventType.STATE_DELTA, delta: [{ op: 'replace', path: '/count', value: 2 }] }
    yield* said(`Counted, from ${JSON.stringify(state)}`)
  } else if (text === 'think') {
    const messageId = randomUUID()
    yield { type: EventType.REASONING_START, messageId }
    yield { type: EventType.REASONING_MESSAGE_START, messageId, role: 'reasoning' }
    yield { type: EventType.REASONING_MESSAGE_CONTENT, messageId, delta: 'Well' }
    yield { type: EventType.REASONING_MESSAGE_END, messageId }
    yield { type: EventType.REASONING_END, messageId }
    yield* said('Thought about')
  } else {
    const seen = messages.filter(({ role }) => role !== 'system' && role !== 'developer').length
    yield* said(`Remotely: ${text} (${seen} messages)`)
  }
  return undefined
}

function* events(input) {
  const { threadId, runId } = input
  yield { type: EventType.RUN_STARTED, threadId, runId }
  if (input.messages.some((each) => each === input.messages.at(-1) && each.role === 'user' && textOf(each) === 'fail')) {
    yield { type: EventType.RUN_ERROR, message: 'As I was told', code: 'told_to' }
    return
  }
  const outcome = yield* answer(input)
  yield { type: EventType.RUN_FINISHED, threadId, runId, ...(outcome ? { outcome } : {}) }
}

/** Listens on a free port; `inputs` are what it was asked, `left` counts those who went before the end. */
export async function remoteAgent() {
  const inputs = []
  const remote = { inputs, left: 0 }
  const server = createServer(async (request, response) => {
    const pieces = []
    for await (const piece of request) pieces.push(piece)
    const input = JSON.parse(Buffer.concat(pieces).toString())
    inputs.push({ input, headers: request.headers })
    const encoder = new EventEncoder({ accept: request.headers.accept })
    response.writeHead(200, { 'Content-Type': encoder.getContentType(), 'Cache-Control': 'no-cache' })
    const write = (event) => response.write(encoder.encodeSSE(event))
    const [first, ...rest] = events(input)
    write(first)
    if (textOf(input.messages.at(-1) ?? { content: '' }) === 'forever') {
      response.on('close', () => { remote.left++ })
      return
    }
    rest.forEach(write)
    response.end()
  })
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  return Object.assign(remote, { url: `http://127.0.0.1:${server.address().port}/agent` })
}
