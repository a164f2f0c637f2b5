package dev.parley.sdk;

/** Receives the events of a followed run or thread, in order, never from two threads at once. */
@FunctionalInterface
public interface RunListener {
    /** The next event. If this throws, the subscription fails, so that no event is skipped. */
    void event(PlacedEvent event);

    /**
     * The server cannot resume at the requested position: the listener's data must be read again. The stream continues
     * at the new position, but the stream of one run ends here if the position was ahead of the log.
     */
    default void resync(Resync resync) {}

    default void state(StreamState state) {}
}
