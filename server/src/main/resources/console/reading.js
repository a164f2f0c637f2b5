/** Tells the server how far its reader has come, a little later and no more often than needed. */
import { call } from "./api.js";

const WAIT_MS = 400;

export class Reading {
  #thread;
  #readTo;
  #timer;
  #seen;
  #onRead;

  /**
   * @param seen the seq of the last message that can be seen right now; 0 if the reader is elsewhere
   * @param onRead called with the thread when the server knows
   */
  constructor({ seen, onRead }) {
    this.#seen = seen;
    this.#onRead = onRead;
    document.addEventListener("visibilitychange", () => this.note());
  }

  /** @param readTo how far the reader has come according to the server */
  open(thread, readTo) {
    this.#thread = thread;
    this.#readTo = readTo;
  }

  close() {
    clearTimeout(this.#timer);
    this.#thread = undefined;
  }

  /** Something may have been seen. */
  note() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tell(), WAIT_MS);
  }

  #tell() {
    const thread = this.#thread;
    const seq = this.#seen();
    if (thread !== undefined && !document.hidden && seq > this.#readTo) {
      this.#readTo = seq;
      // If it is lost, the next message makes up for it.
      call("PATCH", `chat/threads/${thread}/read`, { seq }).then(() => this.#onRead(thread), () => {});
    }
  }
}
