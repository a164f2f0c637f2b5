import { Suspense } from "react";
import { Operate } from "./pages";
import { parseRoute, useHash } from "./route";

/** The whole console. */
export function App() {
  const route = parseRoute(useHash());
  return <Suspense>{route.page === "operate" && <Operate section={route.section} />}</Suspense>;
}
