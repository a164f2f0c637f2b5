import { isShown } from "./rows";
import type { ThreadModel } from "./thread-model";

/** How many messages of others came; perhaps there are more. */
export interface News {
  count: number;
  isMore: boolean;
}

const MOST_COUNTED = 200;

/** What others have said behind a position. What was not read is not counted: it may be a reaction or an edit. */
export function newsSince(model: ThreadModel, from: number, me: string): News {
  const last = model.pages.lastSeq;
  const first = Math.max(from + 1, last - MOST_COUNTED + 1);
  const news = { count: 0, isMore: first > from + 1 };
  for (let seq = first; seq <= last; seq++) {
    const message = model.pages.row(seq);
    news.isMore ||= message === undefined;
    news.count += message && message.sender_id !== me && isShown(model, seq) ? 1 : 0;
  }
  return news;
}

/** In words; nothing if nobody said anything. */
export function newsLabel({ count, isMore }: News): string | undefined {
  return count > 0 ? `${count}${isMore ? "+" : ""} new` : isMore ? "New" : undefined;
}
