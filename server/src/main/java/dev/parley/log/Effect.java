package dev.parley.log;

/** A change to a feature's own tables that belongs to a command: written in the same transaction, by that feature's writer. */
public interface Effect {
    /** Whether it changes what rules know of the thread, which the head's number of facts counts. */
    default boolean changesFacts() {
        return false;
    }

    /**
     * Whether later commands of the same thread must be judged by facts that include it: they wait for the next batch.
     */
    default boolean concludes() {
        return changesFacts();
    }

    /**
     * Whether doing it again is the same as doing it once. A command may consist of such effects alone: if its commit goes
     * unanswered it is done again, and nobody has to find out.
     */
    default boolean repeatable() {
        return false;
    }

    /** Whether what is said along with it is for nobody to answer. */
    default boolean unanswered() {
        return false;
    }

    /** Roughly how many bytes it takes on its way: what waits for a lane, and what it writes at once, is bounded by it. */
    default int weight() {
        return 200;
    }

    /** The effect once it is known where in the log it happens. */
    default Effect at(Head head) {
        return this;
    }
}
