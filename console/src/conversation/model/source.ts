import type { MessagePage, RunPage, ThreadView } from "@parley/client";

/** Where a thread is read from. */
export interface ThreadSource {
  thread(): Promise<ThreadView>;
  messages(query: { after?: number; before?: number; limit: number }): Promise<MessagePage>;
  runs(cursor?: string): Promise<RunPage>;
}
