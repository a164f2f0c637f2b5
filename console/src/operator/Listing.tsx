import type { ReactNode } from "react";
import { Failure } from "../ui/Failure";
import type { Loaded } from "../ui/useLoaded";

interface ListingProps<T> {
  loaded: Loaded<T>;
  isEmpty: (value: T) => boolean;
  /** What stands there when there is nothing. */
  empty: ReactNode;
  children: (value: T) => ReactNode;
}

/** Something that is fetched: on its way, failed, empty, or there. What is there stays while it is fetched again. */
export function Listing<T>({ loaded, isEmpty, empty, children }: ListingProps<T>) {
  const { value, error, loading, reload } = loaded;
  return (
    <div className="operate-listing" aria-busy={loading}>
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {value !== undefined ? (
        isEmpty(value) ? <p className="empty">{empty}</p> : children(value)
      ) : (
        error === undefined && <p className="empty">Loading…</p>
      )}
    </div>
  );
}
