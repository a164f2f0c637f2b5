import type { HistoryDay, Message, UiSchema } from "@parley/client";
import { Listeners } from "../conversation/model/listeners";

type ReadHistory = (beforeSeq: number, limit: number) => Promise<HistoryDay>;

/** How many messages are asked for at once. */
const MOST = 50;
const RETRY_MS = 2_000;
/** Messages that are drawn at the same time are asked for together. */
const WAIT_MS = 20;

/**
 * What agents would like to be drawn with their messages: the server compiles it when history is read, and it is kept by
 * the message's seq.
 */
export class CardSchemas {
  readonly #read: ReadHistory;
  readonly #schemas = new Map<number, UiSchema | null>();
  readonly #wanted = new Set<number>();
  readonly changes = new Listeners();
  #isAsking = false;

  constructor(read: ReadHistory) {
    this.#read = read;
  }

  /** The schema, null if there is none, undefined as long as that is not known. */
  get(seq: number): UiSchema | null | undefined {
    return this.#schemas.get(seq);
  }

  want(seq: number): void {
    if (!this.#schemas.has(seq)) {
      this.#wanted.add(seq);
      void this.#askAll();
    }
  }

  async #askAll(): Promise<void> {
    if (this.#isAsking) {
      return;
    }
    this.#isAsking = true;
    await pause(WAIT_MS);
    for (let tries = 0; this.#wanted.size > 0; ) {
      const last = Math.max(...this.#wanted);
      const near = [...this.#wanted].filter((seq) => last - seq < MOST);
      try {
        const { messages } = await this.#read(last + 1, last - Math.min(...near) + 1);
        this.#take(messages, last);
        tries = 0;
      } catch {
        // After a few tries the message is shown without its card.
        await pause(RETRY_MS);
        if (++tries >= 3) {
          this.#wanted.delete(last);
        }
      }
    }
    this.#isAsking = false;
  }

  /** A page that does not have what was asked for never will. */
  #take(messages: HistoryDay["messages"], last: number): void {
    const first = messages[0]?.seq ?? last;
    const read = new Map(messages.map((each) => [each.seq, "uiSchema" in each ? each.uiSchema : null]));
    for (const seq of [...this.#wanted]) {
      if (seq >= first && seq <= last) {
        this.#wanted.delete(seq);
        this.#schemas.set(seq, read.get(seq) ?? null);
      }
    }
    this.#wanted.delete(last);
    this.changes.tell();
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Whether a message has something that a card can be made of. */
export function hasHints({ metadata, deleted_at: deleted }: Message): boolean {
  const output = (metadata?.["worker_agent_output"] ?? metadata?.["tool_agent_output"]) as { ui_hints?: unknown } | undefined;
  return deleted === null && Boolean(output?.ui_hints);
}
