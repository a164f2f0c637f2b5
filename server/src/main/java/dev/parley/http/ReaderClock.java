package dev.parley.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/** Knows how long the reader of a full queue has taken nothing; a slow but steady one is not stuck. */
final class ReaderClock {
    private final Channel channel;
    private boolean full;
    private long since;
    private long waitingBefore;

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
    }

    void drained() {
        full = false;
    }

    long stuckFor(long now) {
        if (!full) {
            return 0;
        }
        ChannelOutboundBuffer queue = channel.unsafe().outboundBuffer();
        long waiting = queue == null ? 0 : queue.totalPendingWriteBytes();
        if (waiting < waitingBefore) {
            since = now;
        }
        waitingBefore = waiting;
        return now - since;
    }
}
