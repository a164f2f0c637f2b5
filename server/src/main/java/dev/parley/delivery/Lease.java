package dev.parley.delivery;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The exclusive right of this node to send to one destination or webhook for a limited time. The order of messages is
 * kept, because only one node sends. The lease ends by the database's clock. This node stops earlier by its own clock,
 * because a sent part cannot be recalled.
 *
 * @param id the id of the destination or webhook
 * @param sharer the owner or workspace whose share of the slots the lease uses
 * @param holder the id of this holding; earlier and later holdings have other ids
 * @param sureUntil the end of the time in which no other node can hold the lease, by {@link System#nanoTime}
 */
record Lease(UUID id, UUID holder, String sharer, AtomicLong sureUntil) {
    /** True if no other node can hold the lease, by this node's clock. */
    boolean isSure() {
        return System.nanoTime() - sureUntil.get() < 0;
    }
}
