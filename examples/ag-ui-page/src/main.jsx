import "@copilotkit/react-core/v2/styles.css";
import { CopilotChat, CopilotKitProvider, useDefaultRenderTool, useInterrupt } from "@copilotkit/react-core/v2";
import { createRoot } from "react-dom/client";

const parley = import.meta.env.VITE_PARLEY ?? "http://127.0.0.1:8080";
const token = import.meta.env.VITE_PARLEY_TOKEN;

// The address of the page names the conversation, so that a reload, a bookmark and a second tab mean the same one.
const address = new URL(location.href);
if (!address.searchParams.has("thread")) {
  address.searchParams.set("thread", crypto.randomUUID());
  history.replaceState(null, "", address);
}
const thread = address.searchParams.get("thread");
const agent = address.searchParams.get("agent") ?? "default";

function Chat() {
  useDefaultRenderTool();
  useInterrupt({
    agentId: agent,
    render: ({ interrupt, resolve, cancel }) => (
      <p>
        {interrupt?.message ?? "May I go on?"} <button onClick={() => resolve({ approved: true })}>Yes</button>{" "}
        <button onClick={() => cancel()}>No</button>
      </p>
    ),
  });
  return <CopilotChat agentId={agent} threadId={thread} />;
}

createRoot(document.getElementById("page")).render(
  <CopilotKitProvider
    runtimeUrl={`${parley}/api/v1/agui`}
    headers={{ Authorization: `Bearer ${token}` }}
    useSingleEndpoint={false}
    enableInspector={false}
  >
    <Chat />
  </CopilotKitProvider>,
);
