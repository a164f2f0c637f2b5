import type { InboxHint, Typing } from "@parley/client";
import type { LineState, LiveEvent } from "./line";

/** What a page asks of the hub. */
export type ToHub =
  | { type: "hello"; url: string; token?: string | undefined }
  | { type: "lock"; lock: string }
  | { type: "watch"; threadId: string }
  | { type: "unwatch"; threadId: string }
  | { type: "bye" };

/** What the hub tells a page. */
export type FromHub =
  | { type: "state"; state: LineState }
  | { type: "inbox"; hint?: InboxHint | undefined }
  | { type: "join"; threadId: string }
  | { type: "event"; threadId: string; position: number; event: LiveEvent }
  | { type: "typing"; typing: Typing }
  | { type: "gone"; threadId: string };

/** A page that listens. */
export interface Page {
  tell(message: FromHub): void;
}
