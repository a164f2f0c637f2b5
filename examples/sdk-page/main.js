import { Parley } from "@parley/client";

const server = new URLSearchParams(location.search).get("server") ?? "http://127.0.0.1:8080";
const parley = Parley.connect({ url: server, token: location.hash.slice(1) });
const threadId = crypto.randomUUID();

function line(text) {
  const item = document.createElement("li");
  item.append(text);
  document.querySelector("ol").append(item);
  return item;
}

document.querySelector("form").addEventListener("submit", async (submitted) => {
  submitted.preventDefault();
  const content = new FormData(submitted.target).get("text");
  submitted.target.reset();
  line(`You: ${content}`);
  const answer = line("Agent: ");
  try {
    const { runId } = await parley.runs.say(threadId, content);
    for await (const { event } of parley.runs.follow(threadId, runId)) {
      if (event.type === "TEXT_MESSAGE_CONTENT") answer.append(event.delta);
      if (event.type === "RUN_ERROR") answer.append(` (${event.message})`);
    }
  } catch (error) {
    answer.append(` (${error.message})`);
  }
});
