package dev.parley.http;

import java.util.function.Consumer;

/**
 * A caller on its way to a handler.
 *
 * @param metered the identity under which slots and memory are counted
 * @param memory the budget in which the caller has a share
 * @param meter counts the caller's calls, and refuses those above its rate
 */
record Admitted<C>(C caller, Object metered, MemoryBudget memory, Consumer<RateKind> meter) {}
