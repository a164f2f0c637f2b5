/** Those who want to know when something changes, in the way of React's useSyncExternalStore. */
export class Listeners {
  readonly #listeners = new Set<() => void>();
  #version = 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Another one after every change. */
  readonly version = (): number => this.#version;

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  tell(): void {
    this.#version++;
    this.#listeners.forEach((listener) => listener());
  }
}
