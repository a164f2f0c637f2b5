package dev.parley.sdk;

/** Receives the events of a followed run or thread, in order, never from two Java threads at once. */
@FunctionalInterface
public interface RunListener {
    /** The next event. If this method throws, the subscription fails, so that no event is skipped. */
    void event(PlacedEvent event);

    /**
     * Called if the server cannot resume at the requested position. The listener's data must then be read again. The
     * stream continues at the new position, except that the stream of one run ends if the requested position was ahead
     * of the log.
     */
    default void resync(Resync resync) {}

    default void state(StreamState state) {}
}
