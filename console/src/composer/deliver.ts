import { ParleyError, type ContentPart, type Parley } from "@parley/client";
import { addressOf } from "../ui/storedImages";
import type { Pending } from "./outbox";

/** Sends something to its thread, by the way that was chosen for it. */
export async function deliver(parley: Parley, pending: Pending): Promise<void> {
  const { key, threadId, text, mentions } = pending;
  if (pending.way === "message") {
    await parley.thread(threadId).post({ content: text, client_message_id: key, mentions });
    return;
  }
  const started = parley.runs.start({
    threadId,
    runId: key,
    messages: [{ id: key, role: "user", content: await contentOf(parley, pending) }],
    forwardedProps: { agentId: pending.agentId ?? null, regenerateFrom: pending.regenerateFrom ?? null },
    resume: pending.resume ?? null,
  });
  await (pending.resume === undefined ? started : started.catch(acceptDecided));
}

/** Somebody else was quicker to answer the question: it is decided, and there is nothing left to say. */
function acceptDecided(error: unknown): void {
  const field = error instanceof ParleyError ? error.errors[0]?.field : undefined;
  if (!field?.startsWith("resume")) {
    throw error;
  }
}

/** Addresses of images are not kept, since they expire: with another one, it is the same message still. */
async function contentOf(parley: Parley, { text, images }: Pending): Promise<string | ContentPart[]> {
  if (images.length === 0) {
    return text;
  }
  const words: ContentPart[] = text === "" ? [] : [{ type: "text", text }];
  const shown = images.map(async (image): Promise<ContentPart> => {
    return { type: "binary", mimeType: image.mimeType, url: await addressOf(parley, image), filename: image.filename };
  });
  return [...words, ...(await Promise.all(shown))];
}
