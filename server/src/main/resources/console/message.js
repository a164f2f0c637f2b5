/**
 * One message on the page. It grows while it is streamed, and is brought in line with what was committed at the end: the
 * same elements stay, so nothing flickers and what a reader unfolded stays unfolded.
 */
import { make, time } from "./dom.js";
import { imagesOf, isSame, pictures } from "./image.js";

/** A message as this console keeps it, from the chat API. */
export function fromChat(message) {
  return {
    id: message.id,
    seq: message.thread_seq,
    sender: message.sender_id,
    role: message.role,
    content: message.content,
    metadata: message.metadata ?? {},
    at: message.created_at,
    edited: message.edited_at !== null,
    deleted: message.deleted_at !== null,
    reactions: message.reactions ?? [],
  };
}

/** The same from the event that tells of it. */
export function fromEvent(value) {
  return {
    id: value.id,
    seq: value.seq,
    sender: value.senderId,
    role: value.role,
    content: value.content,
    metadata: value.metadata ?? {},
    at: value.createdAt,
    edited: false,
    deleted: false,
    reactions: [],
  };
}

/** How much of a fold can be seen at most while it is closed. */
const GLIMPSE = 200;

const MARKS = {
  partial: "cut short",
  withdrawn: "withdrawn",
  superseded: "replaced by a later answer",
};

export class MessageView {
  /** Where it stands in the log; without an end until it is committed. */
  order = Infinity;
  #head = make("div", { class: "head" });
  #body = make("div", { class: "body" });
  #marks = make("p", { class: "marks", hidden: true });
  #words;
  #folds = new Map();
  #pictures = make("div", { class: "pictures", hidden: true });
  #images = [];
  #card;

  /** @param role of who says it; a tool's words are folded */
  constructor({ id, role, run }) {
    this.id = id;
    this.run = run;
    this.role = role;
    this.element = make("li", { class: `message ${role}` }, this.#head, this.#body, this.#marks);
    this.element.view = this;
    this.#body.append(this.#pictures);
  }

  get isCommitted() {
    return this.order !== Infinity;
  }

  /** Says who speaks, when, and in which stage of a run. */
  sign({ sender, name, mine, at, label }) {
    this.sender = sender;
    this.name = name;
    this.label = label;
    this.element.classList.toggle("mine", mine);
    this.#head.replaceChildren(
      make("span", { class: "name", dir: "auto" }, name),
      ...(label ? [make("span", { class: "label" }, label)] : []),
      ...(at ? [time(at, true)] : []),
    );
  }

  /** Leaves out who speaks, and the stage, if that was just said above. */
  follow(previous) {
    const same = previous?.sender !== undefined && previous.run === this.run && previous.name === this.name;
    this.element.classList.toggle("follows", same);
    this.element.classList.toggle("same-stage", same && previous.label === this.label);
  }

  addText(delta) {
    this.#speech().add(delta);
  }

  setText(text) {
    this.#speech().set(text);
  }

  /** Where the words go: onto the page, or for a tool into a fold. */
  #speech() {
    if (this.#words === undefined) {
      this.#words = this.role === "tool" ? fold("result", this.toolName ?? "Tool", "result") : plain();
      this.#body.append(this.#words.element);
    }
    return this.#words;
  }

  /** A thought, folded; it stands above what is said after it. */
  thought(id) {
    return this.#fold(id, () => fold("thought", "Thought"), this.#words?.element ?? null);
  }

  /** A call of a tool, with its arguments folded. */
  toolCall(id, name) {
    return this.#fold(id, () => fold("call", name, "call"), null);
  }

  #fold(id, start, before) {
    let found = this.#folds.get(id);
    if (found === undefined) {
      found = start();
      this.#folds.set(id, found);
      this.#body.insertBefore(found.element, before);
    }
    return found;
  }

  /** Takes over what another view thought, which turned out to belong to this one. */
  takeThoughts(other) {
    for (const [id, thought] of other.#folds) {
      this.#folds.set(id, thought);
      this.#body.insertBefore(thought.element, this.#words?.element ?? null);
    }
  }

  /** Those that are there already stay as they are. */
  showImages(images) {
    if (images.length !== this.#images.length || images.some((each, i) => !isSame(each, this.#images[i]))) {
      this.#images = images;
      this.#pictures.replaceChildren(...pictures(images));
      this.#pictures.hidden = images.length === 0;
    }
  }

  get hasCard() {
    return this.#card !== undefined;
  }

  /** Puts a card below what is said; a tool's goes into its fold. None takes it away. */
  showCard(card) {
    this.#card?.remove();
    this.#card = card;
    if (card !== undefined) {
      (this.role === "tool" ? this.#speech().element : this.#body).append(card);
    }
  }

  /** Shows a message as it was committed. */
  show(message) {
    const { metadata } = message;
    this.order = message.seq;
    this.run = metadata.run_id ?? this.run;
    this.toolName = metadata.tool_name ?? this.toolName;
    this.element.classList.remove("pending", "growing");
    this.element.classList.toggle("aside", Boolean(metadata.withdrawn || metadata.superseded || message.deleted));
    for (const thought of metadata.reasoning ?? []) {
      this.thought(thought.id).set(thought.content);
    }
    if (message.content || message.role === "tool" || this.#words !== undefined) {
      this.setText(message.deleted ? "" : message.content);
    }
    for (const each of metadata.tool_calls ?? []) {
      this.toolCall(each.id, each.function.name).set(each.function.arguments);
    }
    this.showImages(imagesOf(message));
    this.#mark(message);
  }

  #mark(message) {
    const marks = Object.keys(MARKS).filter((key) => message.metadata[key]).map((key) => MARKS[key]);
    if (message.deleted) {
      marks.push("deleted");
    } else if (message.edited) {
      marks.push("edited");
    }
    for (const reaction of message.reactions) {
      marks.push(`${reaction.emoji} ${reaction.sender_ids.length}`);
    }
    this.#marks.textContent = marks.join(" · ");
    this.#marks.hidden = marks.length === 0;
  }
}

/** Text as it is. */
function plain() {
  const text = document.createTextNode("");
  return { element: make("div", { class: "text", dir: "auto" }, text), ...writer(text) };
}

/** Text that is folded away, with its beginning to be seen. */
function fold(kind, title, label) {
  const glimpse = document.createTextNode("");
  const text = document.createTextNode("");
  const summary = make(
    "summary",
    {},
    make("span", { class: "fold-title" }, title),
    label ? make("span", { class: "label" }, label) : undefined,
    make("span", { class: "glimpse", dir: "auto", "aria-hidden": "true" }, glimpse),
  );
  const element = make("details", { class: `fold ${kind}` }, summary, make("div", { class: "text", dir: "auto" }, text));
  return { element, ...writer(text, () => (glimpse.data = text.data.slice(0, GLIMPSE))) };
}

function writer(text, onChange = () => {}) {
  return {
    add(delta) {
      text.appendData(delta);
      onChange();
    },
    set(whole) {
      if (text.data !== whole) {
        text.data = whole;
        onChange();
      }
    },
  };
}
