export { Parley } from "./parley.js";
export type { ConnectOptions } from "./settings.js";
export type { CallOptions } from "./request.js";
export { ParleyError, ParleyUnreachable, StreamBroken, type StaleContext } from "./errors.js";
export { RETRY_CALLS, RETRY_NEVER, RETRY_STREAMS, pauseAfter, type RetryPolicy } from "./backoff.js";
export { Threads, type ThreadQuery } from "./threads.js";
export { ThreadClient, type PollOptions } from "./thread.js";
export { Messages, type MessageFilter, type MessageQuery } from "./messages.js";
export { MessageClient } from "./message.js";
export { Participants } from "./participants.js";
export { Runs, type RunQuery, type SayOptions } from "./runs.js";
export { History, type HistoryQuery } from "./history.js";
export { Attachments, type UploadOptions } from "./attachments.js";
export type { UploadProgress } from "./upload.js";
export { Owner, type UsableAgent } from "./owner.js";
export { Operator, type NewestFirst } from "./operator.js";
export { parseFigures, type Figures, type Sample } from "./figures.js";
export { Integrations, type TraceQuery } from "./integrations.js";
export { IdentityLinks } from "./identity-links.js";
export { Webhooks } from "./webhooks.js";
export { Deliveries, type DeliveryQuery } from "./deliveries.js";
export type { StreamOptions, StreamState } from "./frames.js";
export { EventStream, type FollowOptions } from "./events.js";
export { RunStream, isTerminal, type PlacedEvent, type Resync, type RunFollowOptions } from "./run-stream.js";
export { WatchStream, type StreamItem } from "./watch-stream.js";
export { INBOX_PATH, InboxStream } from "./inbox.js";
export { SseReader, type SseFrame } from "./sse.js";
export { freshId } from "./ids.js";
export { computeStaleLag, isStale, shouldRespond, type Heard } from "./participation.js";
export {
  extractMentionedIds,
  tokenizeMentions,
  type MentionCandidate,
  type MentionSegment,
} from "./mentions.js";
export { stripLegacyIngestPrefix } from "./legacy.js";
export type * from "./types/agui.js";
export type * from "./types/chat.js";
export type * from "./types/context.js";
export type * from "./types/delivery.js";
export type * from "./types/given.js";
export type * from "./types/history.js";
export type * from "./types/integrations.js";
export type * from "./types/operator.js";
export type * from "./types/owner.js";
export type * from "./types/problems.js";
export type * from "./types/runs.js";
export type * from "./types/sign-in.js";
export type * from "./types/ui.js";
