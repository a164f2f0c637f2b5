package dev.parley.delivery;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The right of this node to send to one place, or to one webhook, for a while. Whoever holds it is the only one who sends
 * there, so order is kept. It ends by the database's clock; this node gives it up earlier by its own, since nothing can
 * be called back once it is sent.
 *
 * @param id of the destination or webhook
 * @param sharer whose share of the node's slots it takes from
 * @param holder this holding, and no earlier or later one
 */
record Lease(UUID id, UUID holder, String sharer, AtomicLong sureUntil) {
    /** Whether it is certain, without asking, that nobody else has it. */
    boolean isSure() {
        return System.nanoTime() - sureUntil.get() < 0;
    }
}
