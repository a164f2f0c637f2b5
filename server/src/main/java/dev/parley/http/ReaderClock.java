package dev.parley.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/**
 * Measures for how long the reader of a full queue has taken nothing, and for how long it has taken little. A slow but
 * steady reader is not stuck.
 */
final class ReaderClock {
    private static final long PARCEL = 64 * 1024;

    private final Channel channel;
    private boolean full;
    private long since;
    private long waitingBefore;
    private long parcelSince;
    private long waitingAtParcel;

    ReaderClock(Channel channel) {
        this.channel = channel;
    }

    boolean full() {
        return full;
    }

    void filled(long now) {
        full = true;
        since = now;
        waitingBefore = Long.MAX_VALUE;
        parcelSince = now;
        waitingAtParcel = waiting();
    }

    void drained() {
        full = false;
    }

    long stuckFor(long now) {
        if (!full) {
            return 0;
        }
        long waiting = waiting();
        if (waiting < waitingBefore) {
            since = now;
        }
        waitingBefore = waiting;
        return now - since;
    }

    /** The time in which the reader has taken less than 64 KB. */
    long slowFor(long now) {
        if (!full) {
            return 0;
        }
        long waiting = waiting();
        if (waitingAtParcel - waiting >= PARCEL) {
            parcelSince = now;
            waitingAtParcel = waiting;
        }
        return now - parcelSince;
    }

    private long waiting() {
        ChannelOutboundBuffer queue = channel.unsafe().outboundBuffer();
        return queue == null ? 0 : queue.totalPendingWriteBytes();
    }
}
