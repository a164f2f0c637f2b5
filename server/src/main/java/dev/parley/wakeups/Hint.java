package dev.parley.wakeups;

import dev.parley.protocol.ThreadId;

/**
 * A hint that a thread has news.
 *
 * @param position a position up to which the thread's log is committed, according to the sender
 * @param news the kinds of news, as bits; a newer node may set bits that this node does not know
 */
public record Hint(ThreadId thread, long position, int news) {
    public static Hint of(ThreadId thread, long position, News... news) {
        int bits = 0;
        for (News each : news) {
            bits |= each.bit();
        }
        return new Hint(thread, position, bits);
    }

    public boolean tells(News kind) {
        return (news & kind.bit()) != 0;
    }

    public Hint with(News kind) {
        return new Hint(thread, position, news | kind.bit());
    }

    /** One hint for two hints of the same thread. */
    public Hint and(Hint other) {
        return new Hint(thread, Math.max(position, other.position), news | other.news);
    }
}
