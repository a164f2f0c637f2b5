import { ParleyError } from "./errors.js";
import { SseReader, type SseFrame } from "./sse.js";
import type { Transport } from "./transport.js";
import { linked, type LinkedSignal } from "./waiting.js";

/** The server has said that nothing will ever follow the place that was asked for. */
export class StreamEnded extends Error {}

/** One connection of a stream, open until it is lost, silent for too long, or stopped. */
export class StreamConnection {
  readonly since = Date.now();
  readonly #bytes: ReadableStreamDefaultReader<Uint8Array>;
  readonly #guard: LinkedSignal;
  readonly #reader = new SseReader();

  private constructor(bytes: ReadableStreamDefaultReader<Uint8Array>, guard: LinkedSignal) {
    this.#bytes = bytes;
    this.#guard = guard;
  }

  /** @param stop ends it, be it open or not yet; to be followed by `release` */
  static async open(transport: Transport, path: string, lastEventId: string | undefined, stop: AbortSignal) {
    const { answerLimit, silenceLimit } = transport.settings;
    const opening = linked(stop, answerLimit, "The server did not open the stream in time");
    // Aborting what was handed to fetch is the one way that ends a read on every platform.
    const guard = linked(opening.signal);
    try {
      const response = await transport.open(path, lastEventId, guard.signal);
      if (response.status === 204) {
        throw new StreamEnded("The stream is over");
      }
      const type = response.headers.get("Content-Type") ?? "";
      if (response.status !== 200 || !type.startsWith("text/event-stream") || response.body === null) {
        throw new ParleyError(response.status, await response.text(), response.headers.get("Retry-After"), false);
      }
      const silence = linked(stop, silenceLimit, "The stream was silent for three heartbeats");
      silence.signal.addEventListener("abort", () => guard.abort(silence.signal.reason), { once: true });
      return new StreamConnection(response.body.getReader(), silence);
    } finally {
      opening.release();
    }
  }

  /** How many milliseconds the server wants clients to wait before they come back. */
  get askedPause(): number | undefined {
    return this.#reader.retry;
  }

  /** The frames that the next bytes complete. */
  async read(): Promise<SseFrame[]> {
    const { done, value } = await this.#bytes.read();
    if (done) {
      throw new Error("The server closed the stream");
    }
    this.#guard.renew();
    return this.#reader.feed(value);
  }

  release(): void {
    this.#guard.release();
    this.#bytes.cancel().catch(() => {});
  }
}
