import type { Answer, Sender } from "./request.js";

/** Told how many bytes of the file are sent, and of how many. */
export type UploadProgress = (sent: number, total: number) => void;

/** A file and what is said of it. */
export interface UploadForm {
  readonly file: Blob;
  readonly filename: string;
  readonly fields: Readonly<Record<string, string | undefined>>;
}

/**
 * Sends a form. Who wants to hear of its progress gets it in the way that the platform has: browsers tell it by
 * XMLHttpRequest only, and node by the bytes that it takes from a stream, which in turn browsers do not send
 * everywhere.
 */
export function formSender(fetch: typeof globalThis.fetch, form: UploadForm, onProgress?: UploadProgress): Sender {
  if (onProgress === undefined) {
    return (url, headers, signal) => byFetch(fetch, url, { headers, signal, body: formData(form) });
  }
  const tell = onlyForwards(form.file.size, onProgress);
  if (typeof XMLHttpRequest !== "undefined") {
    return (url, headers, signal) => byXhr(url, headers, signal, formData(form), tell);
  }
  if (!("process" in globalThis)) {
    // A browser's service worker: all that can be told is the end.
    return async (url, headers, signal) => {
      const answer = await byFetch(fetch, url, { headers, signal, body: formData(form) });
      tell(form.file.size);
      return answer;
    };
  }
  return (url, headers, signal) => {
    // The platform writes the form; what it wrote is then counted on its way.
    const written = new Request(url, { method: "POST", body: formData(form) });
    const type = written.headers.get("Content-Type") ?? "";
    const body = written.body?.pipeThrough(counting(tell)) ?? null;
    const streamed: StreamedInit = { headers: { ...headers, "Content-Type": type }, signal, body, duplex: "half" };
    return byFetch(fetch, url, streamed);
  };
}

/** Streams need `duplex`, which the types of browsers do not know. */
type StreamedInit = RequestInit & { duplex?: "half" };

async function byFetch(fetch: typeof globalThis.fetch, url: string, init: StreamedInit): Promise<Answer> {
  const answer = await fetch(url, { ...init, method: "POST", cache: "no-store", redirect: "error" } as RequestInit);
  return { status: answer.status, retryAfter: answer.headers.get("Retry-After"), text: await answer.text() };
}

function byXhr(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
  body: FormData,
  tell: (sent: number) => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    request.open("POST", url);
    Object.entries(headers).forEach(([name, value]) => request.setRequestHeader(name, value));
    request.upload.addEventListener("progress", (event) => tell(event.loaded));
    request.addEventListener("load", () =>
      resolve({
        status: request.status,
        retryAfter: request.getResponseHeader("Retry-After"),
        text: request.responseText,
      }),
    );
    request.addEventListener("error", () => reject(new TypeError("The upload got no answer")));
    request.addEventListener("abort", () => reject(signal.reason));
    request.addEventListener("loadend", () => signal.removeEventListener("abort", stop));
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    signal.addEventListener("abort", stop, { once: true });
    request.send(body);
  });
}

function formData({ file, filename, fields }: UploadForm): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) {
      data.append(name, value);
    }
  }
  data.append("file", file, filename);
  return data;
}

function counting(tell: (sent: number) => void): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let sent = 0;
  return new TransformStream({
    transform(chunk, out) {
      sent += chunk.byteLength;
      out.enqueue(chunk);
      tell(sent);
    },
  });
}

/** What is written around the file counts as well, but no more is told than the file has. */
function onlyForwards(total: number, onProgress: UploadProgress): (sent: number) => void {
  let told = 0;
  return (sent) => {
    const shown = Math.min(sent, total);
    if (shown > told) {
      told = shown;
      onProgress(shown, total);
    }
  };
}
