import { HttpAgent } from "@ag-ui/client";

const server = new URLSearchParams(location.search).get("server") ?? "http://127.0.0.1:8080";
const agent = new HttpAgent({
  url: `${server}/api/v1/agui/agent/default/run`,
  threadId: crypto.randomUUID(),
  headers: { Authorization: `Bearer ${location.hash.slice(1)}` },
});

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
  agent.addMessage({ id: crypto.randomUUID(), role: "user", content });
  try {
    await agent.runAgent({}, { onTextMessageContentEvent: ({ event }) => void answer.append(event.delta) });
  } catch (error) {
    answer.append(` (${error.message})`);
  }
});
