/**
 * Follows server-sent events by fetch, which can send a token as EventSource cannot. It comes back after the last event
 * it has seen, so nothing is missed and nothing comes twice. A tab that nobody looks at lets go of its connection, since
 * browsers give one server only a few.
 */
import { Patience, Problem, request } from "./api.js";

const SILENCE_MS = 45_000;
const HIDDEN_MS = 10_000;

/**
 * @param handlers.onEvent called with the name and the data of each event
 * @param handlers.onOpen called whenever the stream is connected
 * @param handlers.onLost called whenever it is not any more, or not yet
 * @param handlers.onRefused called with the problem if there is nothing to follow; it is over then
 */
export function follow(path, { onEvent, onOpen = () => {}, onLost = () => {}, onRefused = () => {} }) {
  const patience = new Patience();
  const closed = new AbortController();
  let lastId;

  async function connect() {
    const lost = new AbortController();
    const end = () => lost.abort();
    const watch = watchdog(end);
    const unwatch = whenHidden(end);
    closed.signal.addEventListener("abort", end);
    try {
      const response = await request("GET", path, {
        signal: lost.signal,
        headers: { Accept: "text/event-stream", ...(lastId ? { "Last-Event-ID": lastId } : {}) },
      });
      patience.reset();
      onOpen();
      await read(response.body, watch.kick, (frame) => {
        lastId = frame.id ?? lastId;
        if (frame.data !== undefined && !closed.signal.aborted) {
          onEvent(frame.event, JSON.parse(frame.data));
        }
      });
    } finally {
      watch.stop();
      unwatch();
      closed.signal.removeEventListener("abort", end);
    }
  }

  async function keep() {
    while (!closed.signal.aborted) {
      await visible();
      let failure;
      try {
        await connect();
      } catch (thrown) {
        failure = thrown;
      }
      if (closed.signal.aborted) {
        return;
      }
      if (failure instanceof Problem && !failure.passes) {
        onRefused(failure);
        return;
      }
      onLost();
      await patience.wait(failure?.retryAfter);
    }
  }

  keep();
  return { close: () => closed.abort() };
}

/** Reads lines from a body, and frames from the lines. */
async function read(body, onBytes, onFrame) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let frame = {};
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      return;
    }
    onBytes();
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      if (line === "") {
        onFrame(frame);
        frame = {};
      } else {
        addField(frame, line);
      }
    }
  }
}

function addField(frame, line) {
  const colon = line.indexOf(":");
  if (colon <= 0) {
    return;
  }
  const name = line.slice(0, colon);
  const value = line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
  frame[name] = name === "data" && frame.data !== undefined ? frame.data + "\n" + value : value;
}

/** The server says something every few seconds; if it does not, the connection is dead though nobody said so. */
function watchdog(onSilence) {
  let timer = setTimeout(onSilence, SILENCE_MS);
  return {
    kick() {
      clearTimeout(timer);
      timer = setTimeout(onSilence, SILENCE_MS);
    },
    stop: () => clearTimeout(timer),
  };
}

function whenHidden(leave) {
  let timer;
  const look = () => {
    clearTimeout(timer);
    if (document.hidden) {
      timer = setTimeout(leave, HIDDEN_MS);
    }
  };
  look();
  document.addEventListener("visibilitychange", look);
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
  };
}

function visible() {
  return new Promise((resolve) => {
    const look = () => {
      if (!document.hidden) {
        document.removeEventListener("visibilitychange", look);
        resolve();
      }
    };
    document.addEventListener("visibilitychange", look);
    look();
  });
}
