import { Component, type ReactNode } from "react";
import { Button } from "./Button";
import { sentenceOf } from "./Failure";

/**
 * Keeps what goes wrong on one page from taking the others along: a mistake of ours, or a part of the console that a
 * newer server does not have any more.
 */
export class Boundary extends Component<{ children: ReactNode }, { failure?: unknown }> {
  override state: { failure?: unknown } = {};

  static getDerivedStateFromError(failure: unknown): { failure: unknown } {
    return { failure };
  }

  override render(): ReactNode {
    if (this.state.failure === undefined) {
      return this.props.children;
    }
    return (
      <main className="empty" role="alert">
        <p>Something went wrong here: {sentenceOf(this.state.failure)}</p>
        <p>Nothing that was sent is lost.</p>
        <Button onClick={() => location.reload()}>Reload</Button>
      </main>
    );
  }
}
