import { HttpAgent } from "@ag-ui/client";

const address = new URL(location.href);
const server = address.searchParams.get("server") ?? "http://127.0.0.1:8080";
const returning = address.searchParams.get("thread");
const base = `${server}/api/v1/agui/agent/default`;
const agent = new HttpAgent({
  url: `${base}/run`,
  threadId: returning ?? crypto.randomUUID(),
  headers: { Authorization: `Bearer ${location.hash.slice(1)}` },
});
const form = document.querySelector("form");
const [controls] = form.elements;

function line({ role, content }) {
  const item = document.createElement("li");
  item.append(`${role === "user" ? "You" : "Agent"}: ${content}`);
  return item;
}

agent.subscribe({
  onMessagesChanged({ messages }) {
    const said = messages.filter(({ role, content }) => (role === "user" || role === "assistant") && content);
    document.querySelector("ol").replaceChildren(...said.map(line));
  },
});

async function run(url) {
  agent.url = url;
  controls.disabled = true;
  const trouble = document.querySelector("[role=alert]");
  trouble.textContent = "";
  try {
    await agent.runAgent();
  } catch (error) {
    trouble.textContent = error.message;
  }
  controls.disabled = false;
}

form.addEventListener("submit", (submitted) => {
  submitted.preventDefault();
  const content = new FormData(form).get("text");
  form.reset();
  // The address names the conversation, so that a reload, a bookmark and a second tab show the same one.
  address.searchParams.set("thread", agent.threadId);
  history.replaceState(null, "", address);
  agent.addMessage({ id: crypto.randomUUID(), role: "user", content });
  void run(`${base}/run`);
});

if (returning !== null) {
  // Parley answers with what was said so far, and goes on with the answer that is under way.
  void run(`${base}/connect`);
}
