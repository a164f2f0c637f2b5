package dev.parley.log;

import java.time.Instant;

/**
 * A change to a feature's own tables that belongs to a command. The feature's writer writes the change in the same
 * transaction.
 */
public interface Effect {
    /** True if the effect changes the facts that rules read of the thread; the head counts such changes. */
    default boolean changesFacts() {
        return false;
    }

    /**
     * True if later commands of the same thread must be judged by facts that include the effect. The later commands
     * then wait for the next batch.
     */
    default boolean concludes() {
        return changesFacts();
    }

    /**
     * True if it is harmless to repeat the effect. A command may consist of repeatable effects alone. If its commit is
     * not answered, the command is carried out again.
     */
    default boolean repeatable() {
        return false;
    }

    /** True if no agent should answer the messages of the same command. */
    default boolean unanswered() {
        return false;
    }

    /** The approximate bytes of the effect; they bound the queue of a lane and the size of a batch. */
    default int weight() {
        return 200;
    }

    /** The effect, completed with its position and its time in the log. */
    default Effect at(Head head, Instant time) {
        return this;
    }
}
