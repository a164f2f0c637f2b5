package dev.parley.http;

import io.netty.channel.Channel;
import io.vertx.core.Future;

/**
 * A large answer or the end of a stream, whose reader has not taken all bytes yet. No write follows, so only this clock
 * notices a reader that takes nothing.
 *
 * @param taken the future that completes when the socket has all bytes, or is lost
 */
record Farewells(Channel channel, Future<Void> taken, ReaderClock clock) {
    static Farewells of(Channel channel, Future<Void> taken) {
        ReaderClock clock = new ReaderClock(channel);
        clock.filled(System.nanoTime());
        return new Farewells(channel, taken, clock);
    }

    void giveUp() {
        if (channel.isOpen()) {
            ConnectionGuard.cut(channel);
        }
    }
}
