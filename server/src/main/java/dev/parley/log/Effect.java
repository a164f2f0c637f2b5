package dev.parley.log;

/**
 * A change to a feature's own tables that belongs to a command: written in the same transaction, by that feature's
 * writer.
 */
public interface Effect {
    /** True if the effect changes the facts that rules read of the thread; the head counts such changes. */
    default boolean changesFacts() {
        return false;
    }

    /**
     * True if later commands of the same thread must be judged by facts that include the effect: they wait for the next
     * batch.
     */
    default boolean concludes() {
        return changesFacts();
    }

    /**
     * True if repeating the effect is harmless. A command may consist of such effects alone: if its commit goes
     * unanswered, it is simply carried out again.
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

    /** The effect once its position in the log is known. */
    default Effect at(Head head) {
        return this;
    }
}
