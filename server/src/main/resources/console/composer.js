/** Where messages are written. What is not sent yet is kept for each thread, also over a reload. */
import { byId, say } from "./dom.js";
import { Uploads } from "./uploads.js";

const DRAFT = "parley.draft.";
const MOST_PX = 240;

export class Composer {
  #form = byId("composer");
  #text = byId("text");
  #refusal = byId("refusal");
  #thread;
  #onSend;
  #uploads = new Uploads({ onChange: () => this.#uploaded(), onRefused: (reason) => this.refuse(reason) });
  /** Whether it was sent before its images were there. */
  #isWaiting = false;

  /** @param onSend called with the text and the images */
  constructor(onSend) {
    this.#onSend = onSend;
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    this.#text.addEventListener("keydown", (event) => {
      // While an input method composes a character, Enter belongs to it.
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing && event.keyCode !== 229) {
        event.preventDefault();
        this.#form.requestSubmit();
      }
    });
    this.#text.addEventListener("input", () => {
      this.#stopWaiting();
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
    this.#isWaiting = false;
    this.#uploads.open(thread);
    this.refuse(undefined);
    this.#fit();
  }

  focus() {
    this.#text.focus();
  }

  #send() {
    const text = this.#text.value.trim() === "" ? "" : this.#text.value;
    if (this.#thread === undefined || (text === "" && this.#uploads.isEmpty)) {
      return;
    }
    this.#isWaiting = this.#uploads.isUploading;
    if (this.#isWaiting) {
      this.refuse("It will be sent as soon as its images are uploaded.");
    } else if (this.#uploads.hasFailed) {
      this.refuse("Not sent: remove the image that could not be uploaded, or try again.");
    } else {
      this.#set("");
      this.refuse(undefined);
      this.#onSend(text, this.#uploads.take());
    }
  }

  #uploaded() {
    if (this.#isWaiting && !this.#uploads.isUploading) {
      this.#send();
    }
  }

  /** Who goes on writing has not finished. */
  #stopWaiting() {
    if (this.#isWaiting) {
      this.#isWaiting = false;
      this.refuse(undefined);
    }
  }

  /** Puts something there to be edited or sent; a text that is written already stays in front of it. */
  offer(text, images = []) {
    const written = this.#text.value;
    this.#set(written && text ? `${written}\n${text}` : written || text);
    this.#uploads.offer(images);
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
    Uploads.forgetDrafts();
  }
}
