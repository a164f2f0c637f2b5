package dev.parley.bench.rig;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The events that one viewer of a thread has seen, with the gaps and repeats among them. Written by one thread only.
 */
public final class SeenEvents {
    private volatile long seq;
    private volatile long position;
    private long deliveries;
    private final AtomicLong gaps = new AtomicLong();
    private final AtomicLong repeats = new AtomicLong();

    /**
     * Notes an event; true if it is an entry that was not seen before.
     *
     * @param id the seq of an entry, or that of the entry before it and a position, such as {@code 7-3}
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
        // An event between two entries does not tell whether there was another one before it.
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
