package dev.parley.log;

/** A change to a feature's own tables that belongs to a command: written in the same transaction, by that feature's writer. */
public interface Effect {
    /**
     * Whether it changes what rules read. Later commands of the same thread then wait for the next batch, so that they
     * are judged by facts that include it.
     */
    default boolean changesFacts() {
        return false;
    }
}
