package dev.parley.streaming;

import dev.parley.http.Frames;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The newest frames of a thread, encoded once, bounded in bytes by a budget that all rings share. One writer, many
 * readers.
 */
final class Ring {
    private record Slot(long from, long position, Frames frames) {}

    private final RingBudget budget;
    private final Deque<Slot> slots = new ArrayDeque<>();
    private long floor;
    private long filledTo;
    private long bytes;
    private @Nullable Stretch lastStretch;
    private boolean cleared;
    private boolean used;

    /** All frames after one position up to another. */
    record Stretch(long from, long to, Frames frames) {}

    Ring(long start, RingBudget budget) {
        this.floor = start;
        this.filledTo = start;
        this.budget = budget;
        budget.opened();
    }

    synchronized long filledTo() {
        return filledTo;
    }

    /** Adds the frames of one event. An event of a run may cover several positions. */
    synchronized void add(long from, long position, Frames frames) {
        filledTo = position;
        if (cleared) {
            floor = position;
            return;
        }
        used = true;
        slots.addLast(new Slot(from, position, frames));
        grow(frames.size());
        while (!slots.isEmpty() && budget.isTooMuch(bytes, slots.size())) {
            Slot oldest = slots.removeFirst();
            floor = oldest.position();
            grow(-oldest.frames().size());
        }
    }

    private void grow(int by) {
        bytes += by;
        budget.take(by);
    }

    /** The frames after a position; empty if the ring no longer holds all of them. */
    synchronized Optional<Stretch> after(long position) {
        if (position < floor) {
            return Optional.empty();
        }
        // Most readers have the same position, so they share one buffer.
        Stretch shared = lastStretch;
        if (shared == null || shared.from() != position || shared.to() != filledTo) {
            List<Frames> selected = new ArrayList<>();
            for (Slot slot : (Iterable<Slot>) slots::descendingIterator) {
                if (slot.position() <= position) {
                    break;
                }
                if (slot.from() <= position) {
                    // The reader has seen a part of this slot; only the log can tell the parts apart.
                    return Optional.empty();
                }
                selected.add(slot.frames());
            }
            shared = new Stretch(position, filledTo, Frames.concat(selected.reversed()));
            lastStretch = shared;
        }
        return Optional.of(shared);
    }

    /**
     * Releases the bytes if no frame was added since the last call, because readers that keep up need no older frames.
     */
    synchronized void trimIfIdle() {
        if (!used) {
            empty();
        }
        used = false;
    }

    /** Drops all frames. */
    synchronized void forget() {
        empty();
    }

    private void empty() {
        slots.clear();
        floor = filledTo;
        lastStretch = null;
        grow((int) -bytes);
    }

    /**
     * Releases the bytes for good. No frame is kept afterwards, because the bytes of a late wake-up would never be
     * released.
     */
    synchronized void clear() {
        if (!cleared) {
            cleared = true;
            budget.closed();
        }
        empty();
    }
}
