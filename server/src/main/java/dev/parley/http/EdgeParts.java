package dev.parley.http;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What all exchanges of one edge share.
 *
 * @param memory of requests whose caller is known
 * @param memoryOfAnyone of all other requests, so that they cannot use up that of known callers
 */
record EdgeParts<P>(
        HttpSettings settings,
        BrowserRules browsers,
        RouteTree<P> routes,
        Gate<P> gate,
        ProblemRenderer problems,
        InFlight inFlight,
        MemoryBudget memory,
        MemoryBudget memoryOfAnyone,
        JsonWork json,
        Executor workers,
        AtomicBoolean stopFlag) {
    boolean stopping() {
        return stopFlag.get();
    }
}
