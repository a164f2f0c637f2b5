package dev.parley.log;

import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/**
 * The consequences of an entry in one feature: the agents that should answer the entry, and further changes. A follower
 * never refuses; a {@link Rule} does.
 *
 * @param <F> the facts, which the {@link Consequences} never change
 */
public interface Follower<F> {
    /** Reads the facts that the consequences of these commands need, as of these heads. */
    F read(FactSource source, Collection<Head> heads, List<Command> commands) throws SQLException;

    /** The follower bound to the facts of one batch, in its state before the first entry of the batch. */
    Consequences over(F facts);

    /** A follower that needs nothing but the command and the entry. */
    static Follower<Consequences> of(Consequences consequences) {
        return new Follower<>() {
            @Override
            public Consequences read(FactSource source, Collection<Head> heads, List<Command> commands) {
                return consequences;
            }

            @Override
            public Consequences over(Consequences same) {
                return same;
            }
        };
    }

    /**
     * A follower bound to the facts of one batch. The log calls the follower once for each entry, in order, so the
     * follower may count entries.
     */
    interface Consequences {
        /** The agents that should answer this entry, which the command has just placed. */
        default List<Engagement> engage(Command command, Entry entry) {
            return List.of();
        }

        /**
         * The further changes that the entry causes, which append no entry. The entry already carries its engagement.
         */
        List<Change> follow(Command command, Entry entry);
    }
}
