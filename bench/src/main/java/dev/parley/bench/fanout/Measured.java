package dev.parley.bench.fanout;

/**
 * One window of one peer.
 *
 * @param viewed false for a window with the same posts and no viewers: what posting alone costs
 * @param serverMillis CPU time of the peer in the window
 * @param skewP50Millis between an event's first viewer and its last, as the one reading thread sees it
 */
record Measured(
        String shape,
        String peer,
        boolean viewed,
        int round,
        double seconds,
        long posts,
        long deliveries,
        double serverMillis,
        double clientMillis,
        double skewP50Millis,
        double skewP99Millis) {
    double grossMicros() {
        return serverMillis * 1e3 / Math.max(1, deliveries);
    }

    /** CPU per delivery without what the posts cost by themselves. */
    double netMicros(Measured postsOnly) {
        double posting = postsOnly.serverMillis * posts / Math.max(1, postsOnly.posts);
        return (serverMillis - posting) * 1e3 / Math.max(1, deliveries);
    }

    /** Both windows as one, with the worse skew. */
    Measured plus(Measured other) {
        return new Measured(
                shape,
                peer,
                viewed,
                round,
                seconds + other.seconds,
                posts + other.posts,
                deliveries + other.deliveries,
                serverMillis + other.serverMillis,
                clientMillis + other.clientMillis,
                Math.max(skewP50Millis, other.skewP50Millis),
                Math.max(skewP99Millis, other.skewP99Millis));
    }
}
