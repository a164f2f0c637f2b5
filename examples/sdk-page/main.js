import { Parley } from "@parley/client";

const address = new URL(location.href);
const server = address.searchParams.get("server") ?? "http://127.0.0.1:8080";
const returning = address.searchParams.get("thread");
const threadId = returning ?? crypto.randomUUID();
const parley = Parley.connect({ url: server, token: location.hash.slice(1) });
const form = document.querySelector("form");
const [controls] = form.elements;

function line(text) {
  const item = document.createElement("li");
  item.append(text);
  document.querySelector("ol").append(item);
  return item;
}

/** Does one thing at a time, and shows why it failed. */
async function attempt(work) {
  controls.disabled = true;
  const trouble = document.querySelector("[role=alert]");
  trouble.textContent = "";
  try {
    await work();
  } catch (error) {
    trouble.textContent = error.message;
  }
  controls.disabled = false;
}

async function follow(runId) {
  const answer = line("Agent: ");
  for await (const { event } of parley.runs.follow(threadId, runId)) {
    if (event.type === "TEXT_MESSAGE_CONTENT") answer.append(event.delta);
    if (event.type === "RUN_ERROR") answer.append(` (${event.message})`);
  }
}

/** Shows what was said so far, and goes on with the answer that is under way. */
async function resume() {
  const { runs } = await parley.runs.list(threadId, { limit: 1 });
  const active = runs.find(({ state }) => state === "queued" || state === "running");
  const { messages } = await parley.thread(threadId).messages.list();
  for (const { role, content, metadata } of messages) {
    // The stream of the active run begins with its first word, so its answer is not taken from the list.
    const isFollowed = role !== "user" && active !== undefined && metadata?.run_id === active.runId;
    if ((role === "user" || role === "assistant") && content && !isFollowed) {
      line(`${role === "user" ? "You" : "Agent"}: ${content}`);
    }
  }
  if (active !== undefined) {
    await follow(active.runId);
  }
}

form.addEventListener("submit", (submitted) => {
  submitted.preventDefault();
  const content = new FormData(form).get("text");
  form.reset();
  // The address names the conversation, so that a reload, a bookmark and a second tab show the same one.
  address.searchParams.set("thread", threadId);
  history.replaceState(null, "", address);
  line(`You: ${content}`);
  void attempt(async () => follow((await parley.runs.say(threadId, content)).runId));
});

if (returning !== null) {
  void attempt(resume);
}
