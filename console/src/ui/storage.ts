/**
 * What is remembered in this browser. It may be full, forbidden, or hold what another version wrote: none of that must
 * break the page, so what cannot be read is not there, and what cannot be written is forgotten.
 */
export function remembered<T>(key: string, storage: Storage = localStorage): T | undefined {
  try {
    const text = storage.getItem(key);
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

/** Remembers a value, or forgets it if there is none. */
export function remember(key: string, value: unknown, storage: Storage = localStorage): void {
  try {
    if (value === undefined) {
      storage.removeItem(key);
    } else {
      storage.setItem(key, JSON.stringify(value));
    }
  } catch {
    // Then it lasts as long as the page.
  }
}

/** The keys that begin so. */
export function keysUnder(prefix: string, storage: Storage = localStorage): string[] {
  return Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? "").filter((key) => key.startsWith(prefix));
}
