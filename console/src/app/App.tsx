import { SignedIn } from "../connection/SignedIn";
import { Boundary } from "../ui/Boundary";
import { Shell } from "./Shell";

/** The whole console, for whoever is signed in. */
export function App() {
  return (
    <Boundary>
      <SignedIn>
        <Shell />
      </SignedIn>
    </Boundary>
  );
}
