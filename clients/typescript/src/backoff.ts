/**
 * How often and how patiently something is tried again. Pauses double from `firstPause` to `longestPause`, each
 * shortened by chance to between half and all of it, so that many clients do not come back at the same moment. All in
 * milliseconds.
 */
export interface RetryPolicy {
  /** How many tries there are in all, the first included. */
  readonly attempts: number;
  /** No further try starts later than this after the first one. */
  readonly limit: number;
  readonly firstPause: number;
  readonly longestPause: number;
}

/** For calls: eight tries within a minute. */
export const RETRY_CALLS: RetryPolicy = { attempts: 8, limit: 60_000, firstPause: 100, longestPause: 10_000 };

/** For streams: as long as somebody wants to listen. */
export const RETRY_STREAMS: RetryPolicy = {
  attempts: Infinity,
  limit: Infinity,
  firstPause: 250,
  longestPause: 15_000,
};

/** One try. */
export const RETRY_NEVER: RetryPolicy = { attempts: 1, limit: 0, firstPause: 0, longestPause: 0 };

/**
 * How long to wait after a failed attempt; undefined if it was the last one.
 *
 * @param attempt the number of the attempt that failed, from 1
 * @param elapsed since the first attempt began
 * @param atLeast what the server asked for, such as its Retry-After
 * @param random a number from 0 to 1
 */
export function pauseAfter(
  policy: RetryPolicy,
  attempt: number,
  elapsed: number,
  atLeast: number,
  random: number = Math.random(),
): number | undefined {
  if (attempt >= policy.attempts) {
    return undefined;
  }
  const full = Math.min(policy.longestPause, policy.firstPause * 2 ** Math.min(attempt - 1, 20));
  const jittered = full / 2 + (random * full) / 2;
  const pause = jittered > atLeast ? jittered : atLeast + jittered;
  return elapsed + pause > policy.limit ? undefined : pause;
}
