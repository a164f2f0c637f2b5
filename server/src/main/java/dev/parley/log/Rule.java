package dev.parley.log;

import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * One feature's say in what becomes of commands: one query for the facts of a whole batch, and a pure judgement over
 * them.
 *
 * @param <F> the facts
 */
public interface Rule<F> {
    /** When a rule speaks. */
    enum Stage {
        /** Before the idempotency key: who may not act gets no answer, not even a repeated one. */
        ACCESS,
        /** After it: a retry gets its first answer whatever has changed since. */
        STATE
    }

    Stage stage();

    /** Reads what judging these commands needs, in the lane's transaction, with these heads locked. */
    F read(Connection connection, Collection<Head> heads, List<Command> commands) throws SQLException;

    /** This rule over the facts of one batch. */
    Judge over(F facts);

    /** A rule bound to the facts of one batch. Told of its commands in order; pure over that sequence. */
    interface Judge {
        /** Whether the command may be carried out. The head is the thread's as of this command. */
        Optional<Refusal> judge(Command command, Head head);

        /** Whether this rule vouches for the command's fence. A command whose fence no rule vouches for is refused as outdated. */
        default boolean honours(RunFence fence, ThreadId thread) {
            return false;
        }

        /** Which agents should answer an entry that was just placed. */
        default List<Engagement> engage(Entry entry) {
            return List.of();
        }

        /** What else is done because an entry was just placed; not another entry. The entry knows who should answer it. */
        default List<Change> follow(Entry entry) {
            return List.of();
        }
    }
}
