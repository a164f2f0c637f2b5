import { Listeners } from "./listeners";

/** What is open in a row: an edit that was begun, a dialog. It outlives the row's leaving the view. */
export class RowStates {
  readonly changes = new Listeners();
  readonly #values = new Map<number, ReadonlyMap<string, unknown>>();

  get(seq: number, name: string): unknown {
    return this.#values.get(seq)?.get(name);
  }

  /** Undefined if it is not open any more. */
  set(seq: number, name: string, value: unknown): void {
    const values = new Map(this.#values.get(seq));
    values.set(name, value);
    if (value === undefined) {
      values.delete(name);
    }
    if (values.size > 0) {
      this.#values.set(seq, values);
    } else {
      this.#values.delete(seq);
    }
    this.changes.tell();
  }

  /** The positions of rows in which something is open, in order: they are drawn also if they are not in view. */
  held(): number[] {
    return [...this.#values.keys()].sort((one, other) => one - other);
  }
}
