import { freshId } from "./ids.js";
import { query, type CallOptions } from "./request.js";
import type { Transport } from "./transport.js";
import type { AttachmentUploaded, AttachmentUrl } from "./types/runs.js";
import { formSender, type UploadProgress } from "./upload.js";

const PATH = "/api/v1/agent/attachments";
/** A line this slow still gets a file across in time. */
const BYTES_PER_MILLISECOND = 32;

/** What is said of a file that is uploaded. */
export interface UploadOptions extends CallOptions {
  /** The file's own name if not said. */
  filename?: string | undefined;
  /** The thread that it is for, which need not exist yet. */
  threadId?: string | undefined;
  runId?: string | undefined;
  /** Told how much is sent; an attempt that begins again tells nothing until it is further than the one before. */
  onProgress?: UploadProgress | undefined;
  /** With a key of the caller's own it is stored once also when the caller itself has to begin again. */
  idempotencyKey?: string | undefined;
}

/** Images that go with messages: upload them, and show them again. */
export class Attachments {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Uploads an image and sees it through: what gets no answer is sent again under the same key, so it is stored once.
   */
  upload(file: Blob, options: UploadOptions = {}): Promise<AttachmentUploaded> {
    const filename = options.filename ?? (file as Partial<File>).name ?? "image";
    const fields = { threadId: options.threadId, runId: options.runId };
    return this.#transport.call({
      method: "POST",
      path: PATH,
      key: options.idempotencyKey ?? freshId(),
      extraWait: file.size / BYTES_PER_MILLISECOND,
      signal: options.signal,
      sender: formSender(this.#transport.settings.fetch, { file, filename, fields }, options.onProgress),
    });
  }

  /** A fresh URL of an image that the caller uploaded, or that was shown in a thread the caller may read. */
  signedUrl(bucket: string, path: string, options?: CallOptions): Promise<AttachmentUrl> {
    return this.#transport.get(`${PATH}/signed-url${query({ bucket, path })}`, options);
  }
}
