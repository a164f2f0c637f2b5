/**
 * What was written and has not arrived yet. It is kept over a reload and sent until there is an answer, each time under
 * the same run id, so it arrives once however often the answer is lost.
 */
import { insist, persist } from "./api.js";
import { addressOf } from "./image.js";

const KEY = "parley.outbox";

export class Outbox {
  #lines = new Map();
  #handlers;

  /** @param handlers onSent(item), onRefused(item, problem), onTrouble(item): it takes longer */
  constructor(handlers) {
    this.#handlers = handlers;
  }

  #items() {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
  }

  #keep(items) {
    sessionStorage.setItem(KEY, JSON.stringify(items));
  }

  of(thread) {
    return this.#items().filter((item) => item.thread === thread);
  }

  /** Sends again what an earlier page could not. */
  resume() {
    this.#items().forEach((item) => this.#line(item));
  }

  clear() {
    sessionStorage.removeItem(KEY);
  }

  send(thread, text, { resume, images = [] }) {
    const item = { thread, run: crypto.randomUUID(), message: crypto.randomUUID(), text, images, resume };
    this.#keep([...this.#items(), item]);
    this.#line(item);
    return item;
  }

  /** One after the other in each thread, in the order in which they were written. */
  #line(item) {
    const before = this.#lines.get(item.thread) ?? Promise.resolve();
    this.#lines.set(item.thread, before.then(() => this.#deliver(item)));
  }

  async #deliver(item) {
    const onTry = () => this.#handlers.onTrouble(item);
    try {
      const input = {
        threadId: item.thread,
        runId: item.run,
        messages: [{ id: item.message, role: "user", content: await this.#content(item, onTry) }],
        ...(item.resume ? { resume: item.resume } : {}),
      };
      await insist("POST", "agent/runs", input, onTry);
    } catch (problem) {
      // Who has to sign in first has not been refused: it is sent then.
      if (problem.status !== 401) {
        this.#forget(item);
        this.#handlers.onRefused(item, problem);
      }
      return;
    }
    this.#forget(item);
    this.#handlers.onSent(item);
  }

  /** Addresses of images are not kept, since they expire: with another one, it is the same message still. */
  async #content({ text, images = [] }, onTry) {
    if (images.length === 0) {
      return text;
    }
    const parts = text ? [{ type: "text", text }] : [];
    for (const image of images) {
      const url = await persist(() => addressOf(image), onTry);
      parts.push({ type: "binary", mimeType: image.mimeType, url, filename: image.filename });
    }
    return parts;
  }

  #forget(item) {
    this.#keep(this.#items().filter((each) => each.run !== item.run));
  }
}
