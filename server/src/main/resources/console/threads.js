/** The list of conversations, the latest on top. A hint of the inbox says which one changed; that one is read again. */
import { call } from "./api.js";
import { byId, make, time } from "./dom.js";
import { follow } from "./stream.js";

const PAGE = 30;

export class Threads {
  #list = byId("threads");
  #rows = new Map();
  #cursor;
  #current;
  #inbox;

  constructor() {
    byId("more-threads").addEventListener("click", () => this.#load(this.#cursor));
  }

  start() {
    this.#inbox?.close();
    this.#inbox = follow("chat/inbox/stream", {
      // Hints are not told again: what happened meanwhile is in the list.
      onOpen: () => this.#load(),
      onEvent: (name, hint) => {
        if (name === "thread_changed") {
          this.refresh(hint.thread_id);
        }
      },
    });
    this.#load();
  }

  stop() {
    this.#inbox?.close();
    this.#rows.clear();
    this.#list.replaceChildren();
  }

  async #load(cursor) {
    const page = await call("GET", `chat/threads?limit=${PAGE}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`)
      .catch(() => undefined);
    if (page) {
      page.threads.forEach((thread) => this.#put(thread));
      this.#cursor = page.next_cursor;
      byId("more-threads").hidden = !page.next_cursor;
      byId("no-threads").hidden = this.#rows.size > 0;
    }
  }

  async refresh(id) {
    try {
      this.#put(await call("GET", `chat/threads/${id}`));
    } catch (problem) {
      if (problem.status === 404) {
        this.#remove(id);
      }
    }
  }

  #remove(id) {
    this.#rows.get(id)?.element.remove();
    this.#rows.delete(id);
  }

  #put(thread) {
    if (thread.is_archived) {
      this.#remove(thread.thread_id);
      return;
    }
    const active = thread.last_message_at ?? thread.created_at;
    let row = this.#rows.get(thread.thread_id);
    if (row === undefined) {
      const link = make("a", { href: `#${thread.thread_id}` });
      row = { link, element: make("li", {}, link) };
      row.element.row = row;
      this.#rows.set(thread.thread_id, row);
    }
    const unread = thread.thread_id === this.#current ? 0 : thread.unread_count;
    row.link.replaceChildren(
      make("span", { class: "thread-title ellipsis", dir: "auto" }, thread.title || "Untitled"),
      time(active),
      make("span", { class: "preview ellipsis", dir: "auto" }, thread.last_message_preview ?? ""),
      ...(unread ? [badge(unread)] : []),
    );
    if (row.active !== active) {
      row.active = active;
      this.#sort(row);
    }
    this.#mark(thread.thread_id, row);
    byId("no-threads").hidden = true;
  }

  #sort(row) {
    let next = this.#list.firstElementChild;
    while (next !== null && (next === row.element || next.row.active >= row.active)) {
      next = next.nextElementSibling;
    }
    const isFocused = row.element.contains(document.activeElement);
    this.#list.insertBefore(row.element, next);
    if (isFocused) {
      row.link.focus();
    }
  }

  /** Shows which conversation is open. */
  select(id) {
    this.#current = id;
    this.#rows.forEach((row, each) => this.#mark(each, row));
  }

  #mark(id, { link }) {
    if (id === this.#current) {
      link.setAttribute("aria-current", "true");
    } else {
      link.removeAttribute("aria-current");
    }
  }
}

function badge(count) {
  return make("span", { class: "badge", "aria-label": `${count} unread` }, count > 99 ? "99+" : String(count));
}
