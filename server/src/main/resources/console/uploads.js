/**
 * The images that go with the next message. Each is uploaded once, when it is chosen, and waits with the draft of its
 * thread, also over a reload. What is shown here never changes its height but for a sentence about a failure.
 */
import { Patience, Problem, upload } from "./api.js";
import { byId, make } from "./dom.js";
import { isSame, loaded, remember } from "./image.js";

const DRAFT = "parley.images.";
const MOST = 10;
const THUMB_PX = 48;
const TRIES = 4;
const TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);
const OTHERS = "Only images can be sent: png, jpeg, gif, webp and avif.";

/** One image above the message field: on its way, there, or refused. */
class Chip {
  state = "uploading";
  #bar = make("progress", { max: 1, value: 0, "aria-label": "Uploaded" });
  #note = make("span", { class: "note", role: "status" });
  #thumb = make("span", { class: "thumb", "aria-hidden": "true" });
  #retry = make("button", { type: "button", class: "quiet", hidden: true }, "Try again");
  #key = crypto.randomUUID();
  #stop = new AbortController();
  #onChange;

  constructor(name, thread, { onChange, onRemove }) {
    this.name = name;
    this.thread = thread;
    this.#onChange = onChange;
    const remove = make("button", { type: "button", class: "quiet", "aria-label": `Remove ${name}` }, "✕");
    remove.addEventListener("click", () => {
      this.#stop.abort();
      onRemove(this);
    });
    this.#retry.addEventListener("click", () => this.#start());
    this.element = make(
      "li",
      { class: "chip" },
      this.#thumb,
      make(
        "span",
        { class: "about" },
        make("span", { class: "ellipsis", dir: "auto", title: name }, name),
        this.#bar,
        this.#note,
      ),
      this.#retry,
      remove,
    );
  }

  /** Shows one that was uploaded before. */
  keep(image) {
    this.image = image;
    this.#thumb.append(loaded(image, { alt: "" }));
    this.#become("ready");
    return this;
  }

  send(file) {
    this.file = file;
    if (file.type && !TYPES.has(file.type)) {
      this.#fail(OTHERS);
    } else {
      this.#start();
    }
    return this;
  }

  #start() {
    this.#become("uploading");
    this.#retry.hidden = true;
    Promise.all([this.#upload(), this.#draw()]).then(
      ([answer, size]) => {
        const { bucket, path, mime_type: mimeType, url } = answer;
        this.image = { bucket, path, mimeType, filename: this.name, ...size };
        remember(this.image, url);
        this.#become("ready");
      },
      (failure) => {
        if (!this.#stop.signal.aborted) {
          const isWord = failure instanceof Problem;
          this.#fail(isWord ? failure.message : "The server cannot be reached.", !isWord || failure.passes);
        }
      },
    );
  }

  /** What is lost on the way is sent again under the same key, so that it is stored once. */
  async #upload() {
    const patience = new Patience();
    for (let tries = 1; ; tries++) {
      try {
        return await upload("agent/attachments", this.file, { threadId: this.thread }, {
          key: this.#key,
          signal: this.#stop.signal,
          onProgress: (part) => (this.#bar.value = part),
        });
      } catch (failure) {
        if (this.#stop.signal.aborted || tries === TRIES || (failure instanceof Problem && !failure.passes)) {
          throw failure;
        }
        await patience.wait(failure.retryAfter);
        this.#stop.signal.throwIfAborted();
      }
    }
  }

  /** Draws it from the file: this page loads images from its server only. */
  async #draw() {
    try {
      const bitmap = await createImageBitmap(this.file);
      const { width, height } = bitmap;
      const scale = (THUMB_PX * devicePixelRatio) / Math.min(width, height);
      const side = THUMB_PX * devicePixelRatio;
      const canvas = make("canvas", { width: side, height: side });
      canvas
        .getContext("2d")
        .drawImage(bitmap, (side - width * scale) / 2, (side - height * scale) / 2, width * scale, height * scale);
      bitmap.close();
      this.#thumb.replaceChildren(canvas);
      return { width, height };
    } catch {
      // The server says what is wrong with it.
      return {};
    }
  }

  #fail(sentence, mayPass) {
    this.#become("failed");
    this.#note.textContent = sentence;
    this.#retry.hidden = !mayPass;
  }

  #become(state) {
    this.state = state;
    this.element.dataset.state = state;
    this.#bar.hidden = state !== "uploading";
    this.#note.textContent = state === "ready" ? "Ready" : "";
    this.#onChange(this);
  }
}

export class Uploads {
  #list = byId("uploads");
  #threads = new Map();
  #thread;
  #onChange;
  #onRefused;

  /** @param onChange called when an upload ended, or was removed @param onRefused called with a sentence */
  constructor({ onChange, onRefused }) {
    this.#onChange = onChange;
    this.#onRefused = onRefused;
    const files = byId("files");
    byId("attach").addEventListener("click", () => files.click());
    files.addEventListener("change", () => {
      this.add([...files.files]);
      files.value = "";
    });
    byId("text").addEventListener("paste", (event) => this.#paste(event));
    this.#acceptDrops(byId("conversation"));
  }

  #paste(event) {
    const { files } = event.clipboardData;
    // What comes from a text processor is a text, and a picture of it besides.
    if (files.length > 0 && event.clipboardData.getData("text/plain") === "") {
      event.preventDefault();
      this.add([...files]);
    }
  }

  #acceptDrops(place) {
    const hasFiles = (event) => event.dataTransfer?.types.includes("Files");
    addEventListener("dragover", (event) => {
      if (hasFiles(event)) {
        // A file that misses its place must not be opened instead of this page.
        event.preventDefault();
        place.classList.toggle("dropping", place.contains(event.target) && this.#thread !== undefined);
      }
    });
    addEventListener("dragleave", (event) => {
      if (event.relatedTarget === null) {
        place.classList.remove("dropping");
      }
    });
    addEventListener("drop", (event) => {
      if (hasFiles(event)) {
        event.preventDefault();
        place.classList.remove("dropping");
        if (place.contains(event.target)) {
          this.add([...event.dataTransfer.files]);
        }
      }
    });
  }

  get #chips() {
    return this.#threads.get(this.#thread) ?? [];
  }

  open(thread) {
    this.#thread = thread;
    if (!this.#threads.has(thread)) {
      this.#threads.set(thread, []);
      const kept = JSON.parse(localStorage.getItem(DRAFT + thread) ?? "[]");
      kept.forEach((image) => this.#put(image.filename ?? "Image", (chip) => chip.keep(image)));
    }
    this.#show();
  }

  add(files) {
    if (this.#thread === undefined) {
      return;
    }
    const room = MOST - this.#chips.length;
    files.slice(0, Math.max(0, room)).forEach((file) => this.#put(file.name || "image", (chip) => chip.send(file)));
    if (files.length > room) {
      this.#onRefused(`A message has at most ${MOST} images.`);
    }
    byId("text").focus();
  }

  /** Puts back what was not sent after all. */
  offer(images) {
    images
      .filter((image) => !this.#chips.some((chip) => chip.image && isSame(chip.image, image)))
      .forEach((image) => this.#put(image.filename ?? "Image", (chip) => chip.keep(image)));
  }

  #put(name, begin) {
    const thread = this.#thread;
    const chip = new Chip(name, thread, {
      onChange: () => this.#changed(thread),
      onRemove: (removed) => this.#remove(removed),
    });
    this.#chips.push(chip);
    begin(chip);
    this.#show();
  }

  #remove(chip) {
    const chips = this.#threads.get(chip.thread);
    chips.splice(chips.indexOf(chip), 1);
    this.#changed(chip.thread);
    this.#show();
    byId("text").focus();
  }

  #changed(thread) {
    const ready = (this.#threads.get(thread) ?? []).filter((chip) => chip.state === "ready");
    if (ready.length > 0) {
      localStorage.setItem(DRAFT + thread, JSON.stringify(ready.map((chip) => chip.image)));
    } else {
      localStorage.removeItem(DRAFT + thread);
    }
    if (thread === this.#thread) {
      this.#onChange();
    }
  }

  #show() {
    this.#list.replaceChildren(...this.#chips.map((chip) => chip.element));
    this.#list.hidden = this.#chips.length === 0;
  }

  get isEmpty() {
    return this.#chips.length === 0;
  }

  get isUploading() {
    return this.#chips.some((chip) => chip.state === "uploading");
  }

  get hasFailed() {
    return this.#chips.some((chip) => chip.state === "failed");
  }

  /** Hands over all that is there. */
  take() {
    const images = this.#chips.map((chip) => chip.image);
    this.#threads.set(this.#thread, []);
    this.#changed(this.#thread);
    this.#show();
    return images;
  }

  static forgetDrafts() {
    Object.keys(localStorage)
      .filter((key) => key.startsWith(DRAFT))
      .forEach((key) => localStorage.removeItem(key));
  }
}
