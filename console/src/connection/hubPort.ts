import { Parley } from "@parley/client";
import type { Hub } from "./hub";
import type { FromHub, Page, ToHub } from "./hubMessages";

/** Serves a page that speaks through a port, for as long as the page lives. */
export function serve(hub: Hub, port: MessagePort): void {
  const page: Page = { tell: (message: FromHub) => port.postMessage(message) };
  port.onmessage = ({ data }: MessageEvent<ToHub>) => {
    switch (data.type) {
      case "hello":
        hello(hub, page, data);
        break;
      case "lock":
        // A page holds its lock while it lives: whoever gets it knows that the page is gone, even if it crashed.
        void navigator.locks.request(data.lock, () => hub.remove(page));
        break;
      case "watch":
        hub.watch(page, data.threadId);
        break;
      case "unwatch":
        hub.unwatch(page, data.threadId);
        break;
      case "bye":
        hub.remove(page);
        break;
    }
  };
}

/** The token that the hub is connected with now. */
const connectedWith = new WeakMap<Hub, string>();

function hello(hub: Hub, page: Page, { url, token }: Extract<ToHub, { type: "hello" }>): void {
  const key = `${url} ${token ?? ""}`;
  hub.add(page);
  if (connectedWith.get(hub) !== key || hub.isIdle) {
    connectedWith.set(hub, key);
    hub.start(() => Parley.connect({ url, token }));
  }
}
