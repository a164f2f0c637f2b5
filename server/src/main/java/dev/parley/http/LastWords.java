package dev.parley.http;

import io.netty.channel.Channel;
import io.vertx.core.Future;

/**
 * The end of a stream on its way to a reader who has not taken it yet. Nothing is queued behind it, but what is queued must
 * not wait for ever.
 *
 * @param taken completes when the socket has it all, or is lost
 */
record LastWords(Channel channel, Future<Void> taken, ReaderClock clock) {
    static LastWords of(Channel channel, Future<Void> taken) {
        ReaderClock clock = new ReaderClock(channel);
        clock.filled(System.nanoTime());
        return new LastWords(channel, taken, clock);
    }

    void giveUp() {
        if (channel.isOpen()) {
            ConnectionGuard.cut(channel);
        }
    }
}
