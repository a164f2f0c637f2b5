import { useCallback, useEffect, useState, type DependencyList } from "react";

export interface Loaded<T> {
  value: T | undefined;
  error: unknown;
  loading: boolean;
  /** Asks again; what is shown stays until the answer is there. */
  reload: () => void;
}

/** What a call answers, asked again whenever one of `deps` changes. An answer that comes too late is dropped. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, deps: DependencyList): Loaded<T> {
  const [state, setState] = useState<{ value?: T; error?: unknown; loading: boolean }>({ loading: true });
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((number) => number + 1), []);
  useEffect(() => {
    const gone = new AbortController();
    setState((before) => ({ ...before, loading: true }));
    load(gone.signal).then(
      (value) => gone.signal.aborted || setState({ value, loading: false }),
      (error: unknown) => gone.signal.aborted || setState((before) => ({ ...before, error, loading: false })),
    );
    return () => gone.abort();
    // The caller says what the call depends on.
  }, [...deps, round]);
  return { value: state.value, error: state.error, loading: state.loading, reload };
}
