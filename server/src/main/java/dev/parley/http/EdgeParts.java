package dev.parley.http;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The parts that all exchanges of one edge share.
 *
 * @param memory the budget of requests whose caller is known
 * @param memoryOfAnyone the budget of all other requests, which therefore cannot use up the memory of known callers
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
    /** A caller that the gate has admitted. */
    Admitted<P> admitted(P caller) {
        return new Admitted<>(caller, gate.meteredAs(caller), memory, kind -> gate.count(caller, kind));
    }

    /** The caller of a route outside the gate, identified by its host only; its calls cannot be counted. */
    Admitted<Anyone> anyone(String host) {
        return new Admitted<>(Anyone.ANYONE, host, memoryOfAnyone, kind -> {
            throw new IllegalStateException("The calls of a route outside the gate cannot be counted.");
        });
    }

    boolean stopping() {
        return stopFlag.get();
    }
}
