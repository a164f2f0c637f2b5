package dev.parley.log;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * One feature's say in whether a command may be carried out: one query for the facts of a whole batch, and a pure
 * judgement over them.
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

    /** Reads what judging these commands needs, in the lane's transaction, with their heads locked. */
    F read(Connection connection, List<Command> commands) throws SQLException;

    /** Pure: the same facts, command and head give the same judgement. The head is the thread's as of this command. */
    Optional<Refusal> judge(F facts, Command command, Head head);

    /** This rule over the facts of one batch. */
    default Judge over(F facts) {
        return new Judge(stage(), (command, head) -> judge(facts, command, head));
    }

    /** A rule bound to the facts of one batch. */
    record Judge(Stage stage, Judgement judgement) {}

    /** A pure judgement of one command. */
    interface Judgement {
        Optional<Refusal> of(Command command, Head head);
    }
}
