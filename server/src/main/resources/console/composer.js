/** Where messages are written. What is not sent yet is kept for each thread, also over a reload. */
import { byId, say } from "./dom.js";

const DRAFT = "parley.draft.";
const MOST_PX = 240;

export class Composer {
  #form = byId("composer");
  #text = byId("text");
  #refusal = byId("refusal");
  #thread;

  /** @param onSend called with the text */
  constructor(onSend) {
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.#text.value;
      if (text.trim() !== "" && this.#thread !== undefined) {
        this.#set("");
        this.refuse(undefined);
        onSend(text);
      }
    });
    this.#text.addEventListener("keydown", (event) => {
      // While an input method composes a character, Enter belongs to it.
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229) {
        event.preventDefault();
        this.#form.requestSubmit();
      }
    });
    this.#text.addEventListener("input", () => {
      this.#fit();
      this.#keep();
    });
    byId("skip").addEventListener("click", () => this.focus());
  }

  open(thread) {
    // Who was faster than this page has not written for nothing.
    const early = this.#thread === undefined ? this.#text.value : "";
    this.#thread = thread;
    this.#text.value = localStorage.getItem(DRAFT + thread) ?? early;
    this.refuse(undefined);
    this.#fit();
  }

  focus() {
    this.#text.focus();
  }

  /** Puts a text there to be edited or sent; one that is written already stays in front of it. */
  offer(text) {
    const written = this.#text.value;
    this.#set(written ? `${written}\n${text}` : text);
    this.focus();
  }

  refuse(reason) {
    say(this.#refusal, reason);
  }

  #set(text) {
    this.#text.value = text;
    this.#fit();
    this.#keep();
  }

  #keep() {
    if (this.#text.value) {
      localStorage.setItem(DRAFT + this.#thread, this.#text.value);
    } else {
      localStorage.removeItem(DRAFT + this.#thread);
    }
  }

  #fit() {
    this.#text.style.height = "auto";
    this.#text.style.height = `${Math.min(this.#text.scrollHeight + 2, MOST_PX)}px`;
  }

  /** Forgets what was written and not sent, in every thread. */
  static forgetDrafts() {
    Object.keys(localStorage)
      .filter((key) => key.startsWith(DRAFT))
      .forEach((key) => localStorage.removeItem(key));
  }
}
