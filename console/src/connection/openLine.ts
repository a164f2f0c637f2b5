import { Hub } from "./hub";
import hubAddress from "./hub.worker?sharedworker&url";
import { serve } from "./hubPort";
import type { Line } from "./line";
import { SharedLine } from "./sharedLine";

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** Browsers that check where scripts come from are told of the one script that is not named by the page itself. */
const policy = (window as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("parley", {
  createScriptURL(url) {
    if (url !== hubAddress) {
      throw new TypeError("Only the hub may be started.");
    }
    return url;
  },
});

/** The hub of one person, in a worker that all tabs share; browsers without such workers have one in each tab. */
export function openLine(url: string, token: string | undefined, person: string): Line {
  if (typeof SharedWorker === "function") {
    const address = policy?.createScriptURL(hubAddress) ?? hubAddress;
    const worker = new SharedWorker(address, { type: "module", name: `parley ${url} ${person}` });
    return new SharedLine(worker.port, url, token);
  }
  const { port1, port2 } = new MessageChannel();
  const hub = new Hub();
  serve(hub, port1);
  addEventListener("online", () => hub.restart());
  return new SharedLine(port2, url, token);
}
