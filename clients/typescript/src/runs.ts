import { ParleyError } from "./errors.js";
import { freshId } from "./ids.js";
import { part, query, type CallOptions } from "./request.js";
import { RunStream, type RunFollowOptions } from "./run-stream.js";
import type { Transport } from "./transport.js";
import type { RunContext, RunContextDiff } from "./types/context.js";
import type { ContentPart } from "./types/given.js";
import type {
  AttachmentUploaded,
  CancelAnswer,
  RunAgentInput,
  RunPage,
  RunView,
  SharedStateView,
  TaskAccepted,
} from "./types/runs.js";

const PATH = "/api/v1/agent/runs";
const THREADS = "/api/v1/agent/threads";

/** What may be said beside the text. All members of a RunAgentInput are understood. */
export interface SayOptions extends CallOptions, Partial<Omit<RunAgentInput, "threadId" | "messages">> {
  /** Images that were uploaded; the text may then be empty. */
  images?: readonly AttachmentUploaded[];
}

/** Which of a thread's runs to list. */
export interface RunQuery extends CallOptions {
  /** The `nextCursor` of the page before. */
  cursor?: string | undefined;
  limit?: number | undefined;
}

/** Runs of agents: start them, watch them, cancel them. A run goes by its runId or its taskId. */
export class Runs {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Starts a run and sees it through: what gets no answer is sent again with the same runId, so it is started once. A
   * thread that does not exist yet is made.
   */
  start(input: RunAgentInput, options?: CallOptions): Promise<TaskAccepted> {
    return this.#transport.call({ method: "POST", path: PATH, body: input, signal: options?.signal });
  }

  /** Says something to the thread's agent, once per `runId` if one is given, else under one of its own. */
  say(threadId: string, text: string, { images = [], signal, ...rest }: SayOptions = {}): Promise<TaskAccepted> {
    const runId = rest.runId ?? freshId();
    const words: ContentPart[] = text === "" ? [] : [{ type: "text", text }];
    const shown = images.map<ContentPart>(({ mime_type, url }) => ({ type: "binary", mimeType: mime_type, url }));
    const content = images.length === 0 ? text : [...words, ...shown];
    const messages: RunAgentInput["messages"] = [{ id: `msg-${runId}`, role: "user", content }];
    return this.start({ ...rest, threadId, runId, messages }, { signal });
  }

  get(threadId: string, runId: string, options?: CallOptions): Promise<RunView> {
    return this.#transport.get(run(threadId, runId), options);
  }

  /** Undefined if there is no such run, or no such thread. */
  async find(threadId: string, runId: string, options?: CallOptions): Promise<RunView | undefined> {
    try {
      return await this.get(threadId, runId, options);
    } catch (error) {
      if (error instanceof ParleyError && error.status === 404) {
        return undefined;
      }
      throw error;
    }
  }

  /** The newest runs of a thread. */
  list(threadId: string, options: RunQuery = {}): Promise<RunPage> {
    const path = `${THREADS}/${part(threadId)}/runs${query({ cursor: options.cursor, limit: options.limit })}`;
    return this.#transport.get(path, options);
  }

  /**
   * Cancels a run; once this returns, nothing of it follows. That it is finished may mean that an earlier attempt of
   * this call, whose answer was lost, has ended it.
   */
  cancel(threadId: string, runId: string, options?: CallOptions): Promise<CancelAnswer> {
    const path = `${run(threadId, runId)}/cancel`;
    return this.#transport.call({ method: "POST", path, body: {}, signal: options?.signal });
  }

  /** What the run's agent was shown; of an agent that asks its model several times, at the request of that number. */
  context(threadId: string, runId: string, options: CallOptions & { request?: number } = {}): Promise<RunContext> {
    return this.#transport.get(`${run(threadId, runId)}/context${query({ request: options.request })}`, options);
  }

  /** How what two runs were shown differs. */
  contextDiff(threadId: string, runId: string, otherRunId: string, options?: CallOptions): Promise<RunContextDiff> {
    return this.#transport.get(`${run(threadId, runId)}/context${query({ diff: otherRunId })}`, options);
  }

  /** The state that the thread's agents and clients share. */
  state(threadId: string, options?: CallOptions): Promise<SharedStateView> {
    return this.#transport.get(`${THREADS}/${part(threadId)}/state`, options);
  }

  /** Follows one run to its terminal event: every event once and in order. */
  follow(threadId: string, runId: string, options?: RunFollowOptions): RunStream {
    return new RunStream(this.#transport, this.streamPath(threadId, runId), true, options);
  }

  /** Follows all that happens in a thread, its runs and what is said, for as long as the loop goes on. */
  followThread(threadId: string, options?: RunFollowOptions): RunStream {
    return new RunStream(this.#transport, this.streamPath(threadId), false, options);
  }

  /** The path of such a stream, for `parley.streamTicket`. */
  streamPath(threadId: string, runId?: string): string {
    return `${PATH}/${part(threadId)}/events${query({ runId })}`;
  }
}

function run(threadId: string, runId: string): string {
  return `${THREADS}/${part(threadId)}/runs/${part(runId)}`;
}
