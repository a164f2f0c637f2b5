import "@copilotkit/react-core/v2/styles.css";
import { CopilotChat, CopilotKitProvider, useDefaultRenderTool, useInterrupt } from "@copilotkit/react-core/v2";
import { useState } from "react";
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
  const [trouble, setTrouble] = useState("");
  useDefaultRenderTool();
  useInterrupt({
    agentId: agent,
    render: ({ interrupt, resolve, cancel }) => (
      <p className="question">
        {interrupt?.message ?? "May I go on?"}
        <button onClick={() => resolve({ approved: true })}>Yes</button>
        <button onClick={() => cancel()}>No</button>
      </p>
    ),
  });
  return (
    <>
      {trouble && (
        <p className="trouble" role="alert">
          {trouble}
          <button onClick={() => setTrouble("")}>Close</button>
        </p>
      )}
      <CopilotChat agentId={agent} threadId={thread} onError={({ error }) => setTrouble(error.message)} />
    </>
  );
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
