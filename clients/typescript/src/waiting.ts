/** A signal of our own that follows somebody else's, and a time limit if there is one. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Begins the time limit anew. */
  renew(): void;
  /** Lets go of the other signal and the clock; to be called when all is done. */
  release(): void;
}

/** AbortSignal.any does this too, but is younger than the platforms we promise to run on. */
export function linked(other: AbortSignal | undefined, limit?: number, limitReason?: string): LinkedSignal {
  const own = new AbortController();
  const follow = () => own.abort(other?.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const renew = () => {
    clearTimeout(timer);
    timer = limit === undefined ? undefined : setTimeout(() => own.abort(new Error(limitReason)), limit);
  };
  if (other?.aborted) {
    follow();
  } else {
    other?.addEventListener("abort", follow, { once: true });
    renew();
  }
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    renew,
    release: () => {
      clearTimeout(timer);
      other?.removeEventListener("abort", follow);
    },
  };
}

/** Waits; fails with the signal's reason as soon as that is aborted. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
