package dev.parley.http;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/** What all exchanges of one edge share. */
record EdgeParts<P>(
        HttpSettings settings,
        BrowserRules browsers,
        RouteTree<P> routes,
        Gate<P> gate,
        ProblemRenderer problems,
        InFlight inFlight,
        LargeBodies largeBodies,
        JsonWork json,
        Executor workers,
        AtomicBoolean stopFlag) {
    boolean stopping() {
        return stopFlag.get();
    }
}
