package dev.parley.log;

import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The right of one feature to refuse commands: one query for the facts of a whole batch, and a pure judgement over
 * them.
 *
 * @param <F> the facts; no judge changes them
 */
public interface Rule<F> {
    /** Reads the facts that judging these commands needs, in the lane's transaction, with these heads locked. */
    F read(Connection connection, Collection<Head> heads, List<Command> commands) throws SQLException;

    /** A judge over the facts of one batch, before the first of its commands. */
    Judge over(F facts);

    /** A rule bound to the facts of one batch. Judging a command changes nothing; {@link #count} alone does. */
    interface Judge {
        /**
         * Refuses an actor who may not act at all. Called before the idempotency key is looked up: such an actor gets
         * no answer, not even a repeated one. The head is the thread's as of this command.
         */
        default Optional<Refusal> judgeAccess(Command command, Head head) {
            return Optional.empty();
        }

        /**
         * Refuses a command that may not be carried out. Called after the key is looked up: a retry gets its first
         * answer, whatever has changed since. The head is the thread's as of this command.
         */
        Optional<Refusal> judge(Command command, Head head);

        /**
         * True if this rule vouches for the command's fence. A command whose fence no rule vouches for is refused as
         * outdated.
         */
        default boolean honours(RunFence fence, ThreadId thread) {
            return false;
        }

        /**
         * Counts a command that is carried out, so that the later commands of the batch are judged by it.
         *
         * @param placed the entries that the command placed, without duplicates
         */
        default void count(Command command, List<Entry> placed) {}
    }
}
