import { SignedIn } from "../connection/SignedIn";
import { Shell } from "./Shell";

/** The whole console, for whoever is signed in. */
export function App() {
  return (
    <SignedIn>
      <Shell />
    </SignedIn>
  );
}
