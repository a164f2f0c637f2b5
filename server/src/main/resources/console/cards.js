/**
 * Finds what agents would like to be drawn with their messages: the server compiles it when history is read. What several
 * messages want is asked for at once.
 */
import { call, Patience, Problem } from "./api.js";
import { card } from "./card.js";
import { oncePerFrame } from "./dom.js";

const MOST = 50;

export class Cards {
  #log;
  #thread;
  #wanted = new Map();
  #isAsking = false;
  #ask = oncePerFrame(() => this.#askAll());

  constructor(log) {
    this.#log = log;
  }

  open(thread) {
    this.#thread = thread;
    this.#wanted.clear();
  }

  /** A committed message is on the page: its card will be, if it has one. */
  want(message, view) {
    if (message.deleted || !hasHints(message)) {
      view.showCard(undefined);
    } else if (!view.hasCard) {
      this.#wanted.set(message.seq, view);
      this.#ask();
    }
  }

  async #askAll() {
    if (this.#isAsking) {
      return;
    }
    this.#isAsking = true;
    const patience = new Patience();
    while (this.#wanted.size > 0) {
      const thread = this.#thread;
      const last = Math.max(...this.#wanted.keys());
      try {
        const day = await call("GET", `agent/history?threadId=${thread}&beforeSeq=${last + 1}&limit=${this.#span(last)}`);
        if (thread === this.#thread) {
          this.#take(day.messages, last);
        }
        patience.reset();
      } catch (failure) {
        if (!(failure instanceof Problem) || failure.passes) {
          await patience.wait(failure.retryAfter);
        } else if (thread === this.#thread) {
          this.#wanted.delete(last);
        }
      }
    }
    this.#isAsking = false;
  }

  /** How far it is from a wanted message back to the oldest one that is wanted with it. */
  #span(last) {
    return Math.max(...[...this.#wanted.keys()].map((seq) => last - seq + 1).filter((each) => each <= MOST));
  }

  /** @param last the message that was asked for; a page that does not have it never will */
  #take(messages, last) {
    const schemas = new Map(messages.map((each) => [each.seq, each.uiSchema]));
    const first = messages[0]?.seq ?? last;
    for (const [seq, view] of this.#wanted) {
      if (seq >= first && seq <= last) {
        this.#wanted.delete(seq);
        const made = card(schemas.get(seq));
        if (made) {
          this.#log.change(view.element, () => view.showCard(made));
        }
      }
    }
  }
}

const hasHints = ({ metadata }) =>
  Boolean(metadata.worker_agent_output?.ui_hints ?? metadata.tool_agent_output?.ui_hints);
