package dev.parley.bench.rig;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The events that one viewer of a thread has seen, and the gaps and repeats in that sequence. Only one thread writes.
 */
public final class SeenEvents {
    private volatile long seq;
    private volatile long position;
    private long deliveries;
    private final AtomicLong gaps = new AtomicLong();
    private final AtomicLong repeats = new AtomicLong();

    /**
     * Notes an event; returns true if the event is an entry that was not seen before.
     *
     * @param id the seq of an entry; for any other event the seq of the entry before it and the event's position, such
     *     as {@code 7-3}
     */
    public boolean saw(String id) {
        int dash = id.indexOf('-');
        return dash < 0
                ? saw(Long.parseLong(id), 0)
                : saw(Long.parseLong(id.substring(0, dash)), Long.parseLong(id.substring(dash + 1)));
    }

    private boolean saw(long nextSeq, long nextPosition) {
        boolean entry = nextPosition == 0;
        if (entry ? nextSeq <= seq : nextSeq < seq || nextSeq == seq && nextPosition <= position) {
            repeats.incrementAndGet();
            return false;
        }
        // The id of an event between two entries does not show whether another such event came before.
        gaps.addAndGet(entry ? nextSeq - seq - 1 : nextSeq - seq);
        deliveries += entry ? 1 : 0;
        position = nextPosition;
        seq = nextSeq;
        return entry;
    }

    /** The value of {@code Last-Event-ID} with which the viewer reconnects. */
    public String lastId() {
        return position == 0 ? Long.toString(seq) : seq + "-" + position;
    }

    /** The seq of the last entry. */
    public long seq() {
        return seq;
    }

    /** The number of entries. */
    public long deliveries() {
        return deliveries;
    }

    public long gaps() {
        return gaps.get();
    }

    public long repeats() {
        return repeats.get();
    }
}
