import type { MessagePage, RunPage, RunView, ThreadView } from "@parley/client";

/** Where a thread is read from. */
export interface ThreadSource {
  thread(): Promise<ThreadView>;
  messages(query: { after?: number; before?: number; limit: number }): Promise<MessagePage>;
  runs(cursor?: string): Promise<RunPage>;
  /** Undefined if it is not kept any more. */
  run(runId: string): Promise<RunView | undefined>;
}
