package dev.parley.sdk;

/** Told what a followed run or thread brings, in order, never by two threads at once. */
@FunctionalInterface
public interface RunListener {
    /** The next event. If this throws, the subscription fails, so that no event is passed over. */
    void event(PlacedEvent event);

    /**
     * The server cannot go on where it was asked to: what the listener has is to be read again. It goes on from the new
     * position, but following one run ends here if it was ahead of the log.
     */
    default void resync(Resync resync) {}

    default void state(StreamState state) {}
}
