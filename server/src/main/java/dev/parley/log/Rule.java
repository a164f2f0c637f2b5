package dev.parley.log;

import dev.parley.protocol.ThreadId;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lets one feature refuse commands. The rule reads the facts once for a whole batch, and then judges each command by
 * these facts alone.
 *
 * @param <F> the facts; no judge changes them
 */
public interface Rule<F> {
    /** Reads the facts by which these commands are judged, as of these heads. */
    F read(FactSource source, Collection<Head> heads, List<Command> commands) throws SQLException;

    /**
     * Updates what this rule remembers after a batch was committed.
     *
     * @param before the heads by which the batch was decided
     * @param after the heads that the batch moved, in their new state
     * @param effects the effects of the batch
     */
    default void remember(Map<ThreadId, Head> before, Map<ThreadId, Head> after, List<Effect> effects) {}

    /** A judge bound to the facts of one batch, in its state before the first command of the batch. */
    Judge over(F facts);

    /** A rule bound to the facts of one batch. Only {@link #count} changes the state of the judge. */
    interface Judge {
        /**
         * Refuses an actor who may not act at all. The log calls this method before it looks up the idempotency key,
         * because such an actor gets no answer, not even a repeated one. The head includes the earlier commands of the
         * batch.
         */
        default Optional<Refusal> judgeAccess(Command command, Head head) {
            return Optional.empty();
        }

        /**
         * Refuses a command that may not be carried out. The log calls this method after it has looked up the
         * idempotency key, because a retry gets its first answer even if the thread has changed since. The head
         * includes the earlier commands of the batch.
         */
        Optional<Refusal> judge(Command command, Head head);

        /**
         * True if this rule confirms that the command's fence is valid. A command with a fence that no rule confirms is
         * refused as outdated.
         */
        default boolean honours(RunFence fence, ThreadId thread) {
            return false;
        }

        /**
         * Counts a command that is carried out, so that the later commands of the batch are judged by the new state.
         *
         * @param placed the entries that the command placed, without duplicates
         */
        default void count(Command command, List<Entry> placed) {}
    }
}
