/** One frame of an event stream. `hasId` tells whether it brought an id of its own. */
export interface SseFrame {
  readonly event: string;
  readonly data: string;
  readonly lastEventId: string;
  readonly hasId: boolean;
}

const MAX_FRAME_CHARACTERS = 16 * 1024 * 1024;

/**
 * Parses an event stream as bytes arrive, by the rules of the WHATWG HTML standard ("server-sent events"). Frames come
 * out as soon as their last line ends; what is incomplete when the stream ends is never dispatched.
 */
export class SseReader {
  // Takes off a byte order mark as well, and puts characters together that were split between chunks.
  readonly #decoder = new TextDecoder();
  readonly #maxFrame: number;
  #line = "";
  #data: string[] = [];
  #event = "";
  #id = "";
  #hasId = false;
  #size = 0;
  #afterCarriageReturn = false;
  #retry: number | undefined;

  /** @param maxFrame a frame of more characters fails the stream instead of filling the memory */
  constructor(maxFrame: number = MAX_FRAME_CHARACTERS) {
    this.#maxFrame = maxFrame;
  }

  /** How many milliseconds the server wants clients to wait before they come back. */
  get retry(): number | undefined {
    return this.#retry;
  }

  /** Takes a chunk and returns the frames that it completes. */
  feed(chunk: Uint8Array): SseFrame[] {
    const frames: SseFrame[] = [];
    let text = this.#decoder.decode(chunk, { stream: true });
    if (text === "") {
      return frames;
    }
    if (this.#afterCarriageReturn && text.startsWith("\n")) {
      text = text.slice(1);
    }
    this.#afterCarriageReturn = text.endsWith("\r");
    const lines = text.split(/\r\n|\r|\n/);
    const rest = lines.pop() ?? "";
    for (const line of lines) {
      this.#endLine(this.#line + line, frames);
      this.#line = "";
    }
    this.#line += rest;
    this.#check(this.#line.length);
    return frames;
  }

  #endLine(line: string, frames: SseFrame[]): void {
    if (line === "") {
      this.#dispatch(frames);
      return;
    }
    const colon = line.indexOf(":");
    if (colon === 0) {
      // A comment, which does not count towards the frame: heartbeats may go on for hours.
      return;
    }
    this.#size += line.length;
    this.#check(0);
    if (colon < 0) {
      this.#field(line, "");
    } else {
      const value = line.startsWith(" ", colon + 1) ? colon + 2 : colon + 1;
      this.#field(line.slice(0, colon), line.slice(value));
    }
  }

  #check(pending: number): void {
    if (this.#size + pending > this.#maxFrame) {
      throw new Error(`A frame of the event stream is longer than ${this.#maxFrame} characters`);
    }
  }

  #field(name: string, value: string): void {
    if (name === "event") {
      this.#event = value;
    } else if (name === "data") {
      this.#data.push(value);
    } else if (name === "id" && !value.includes("\0")) {
      this.#id = value;
      this.#hasId = value !== "";
    } else if (name === "retry" && /^[0-9]{1,9}$/.test(value)) {
      this.#retry = Number(value);
    }
  }

  #dispatch(frames: SseFrame[]): void {
    if (this.#data.length > 0) {
      frames.push({
        event: this.#event === "" ? "message" : this.#event,
        data: this.#data.join("\n"),
        lastEventId: this.#id,
        hasId: this.#hasId,
      });
    }
    this.#data = [];
    this.#event = "";
    this.#hasId = false;
    this.#size = 0;
  }
}
