import { Hub } from "./hub";
import { serve } from "./hubPort";

/** The hub that all tabs of one person share. */
const hub = new Hub();
addEventListener("connect", (event) => serve(hub, (event as MessageEvent).ports[0]!));
addEventListener("online", () => hub.restart());
