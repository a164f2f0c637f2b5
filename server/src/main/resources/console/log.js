/**
 * The list of messages on the page, in the order of the log, with what is still growing or on its way at its end. It
 * stays at the bottom as long as the reader is there, and never moves what is being read.
 */
import { byId } from "./dom.js";

const NEAR_PX = 60;
const OLDER_PX = 400;

export class Log {
  #scroller = byId("scroller");
  #list = byId("messages");
  #latest = byId("latest");
  #views = new Map();
  #isAtEnd = true;

  /**
   * @param onTop called when the reader comes near the beginning
   * @param onEnd called when the reader is at the end
   */
  constructor({ onTop, onEnd }) {
    this.#latest.addEventListener("click", () => this.toEnd());
    this.#scroller.addEventListener(
      "scroll",
      () => {
        this.#look();
        if (this.isNearTop) {
          onTop();
        }
        if (this.#isAtEnd) {
          onEnd();
        }
      },
      { passive: true },
    );
    // The room for messages changes with the window and with the composer.
    new ResizeObserver(() => this.settle()).observe(this.#scroller);
  }

  get isAtEnd() {
    return this.#isAtEnd;
  }

  /** Whether the reader is near the beginning, or sees it. */
  get isNearTop() {
    return this.#scroller.scrollTop < OLDER_PX;
  }

  #look() {
    const below = this.#scroller.scrollHeight - this.#scroller.scrollTop - this.#scroller.clientHeight;
    this.#isAtEnd = below < NEAR_PX;
    this.#latest.hidden = this.#isAtEnd;
  }

  toEnd() {
    this.#isAtEnd = true;
    this.settle();
  }

  /** After something changed: the reader at the end stays there. */
  settle() {
    if (this.#isAtEnd) {
      this.#scroller.scrollTop = this.#scroller.scrollHeight;
    }
    this.#look();
  }

  /** Lets something be put above what is being read without moving it. */
  keepPlace(change) {
    const below = this.#scroller.scrollHeight - this.#scroller.scrollTop;
    change();
    this.#scroller.scrollTop = this.#scroller.scrollHeight - below;
  }

  /** Lets a message become larger or smaller; what is being read below it stays where it is. */
  change(element, change) {
    const isAbove = element.getBoundingClientRect().bottom <= this.#scroller.getBoundingClientRect().top;
    if (isAbove && !this.#isAtEnd) {
      this.keepPlace(change);
    } else {
      change();
      this.settle();
    }
  }

  clear() {
    this.#views.clear();
    this.#list.replaceChildren();
    this.#isAtEnd = true;
  }

  find(id) {
    return this.#views.get(id);
  }

  /** Finds a message by the name under which it was streamed, too. */
  alias(id, view) {
    if (!this.#views.has(id)) {
      this.#views.set(id, view);
    }
  }

  /** What a run has on the page, from top to bottom. */
  of(run) {
    return [...this.#list.children].map((element) => element.view).filter((view) => view.run === run);
  }

  /** The seq of the first message on the page. */
  get first() {
    return this.#seq(this.#list.firstElementChild, "nextElementSibling");
  }

  /** The seq of the last committed message. */
  get last() {
    return this.#seq(this.#list.lastElementChild, "previousElementSibling") ?? 0;
  }

  #seq(element, step) {
    while (element !== null && !Number.isInteger(element.view.order)) {
      element = element[step];
    }
    return element?.view.order;
  }

  /** Puts a view where its order says, or moves it there. */
  place(view) {
    this.#views.set(view.id, view);
    let before = this.#list.lastElementChild;
    while (before !== null && (before === view.element || before.view.order > view.order)) {
      before = before.previousElementSibling;
    }
    const next = before === null ? this.#list.firstElementChild : before.nextElementSibling;
    if (next !== view.element) {
      const left = view.element.nextElementSibling;
      this.#list.insertBefore(view.element, next);
      this.#group(left);
    }
    this.#group(view.element);
    this.#group(view.element.nextElementSibling);
  }

  #group(element) {
    element?.view?.follow(element.previousElementSibling?.view);
  }

  rename(view, id) {
    this.#views.delete(view.id);
    view.id = id;
    this.#views.set(id, view);
  }

  remove(view) {
    const next = view.element.nextElementSibling;
    this.#views.delete(view.id);
    view.element.remove();
    this.#group(next);
  }
}
