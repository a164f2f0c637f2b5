package dev.parley.http;

import java.util.function.Consumer;

/**
 * A caller on its way to a handler.
 *
 * @param metered the caller in whose name slots and memory are taken
 * @param memory of which it may take a share
 * @param meter counts its calls, and refuses one too many
 */
record Admitted<C>(C caller, Object metered, MemoryBudget memory, Consumer<RateKind> meter) {}
