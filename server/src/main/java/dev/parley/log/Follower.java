package dev.parley.log;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/**
 * The consequences of an entry in one feature: the agents that should answer it, and further changes. A
 * follower never refuses; a {@link Rule} does.
 *
 * @param <F> the facts; no consequence changes them
 */
public interface Follower<F> {
    /** Reads the facts that following these commands needs, in the lane's transaction, with these heads locked. */
    F read(Connection connection, Collection<Head> heads, List<Command> commands) throws SQLException;

    /** The follower over the facts of one batch, before the first of its entries. */
    Consequences over(F facts);

    /** A follower that needs nothing but the command and the entry. */
    static Follower<Consequences> of(Consequences consequences) {
        return new Follower<>() {
            @Override
            public Consequences read(Connection connection, Collection<Head> heads, List<Command> commands) {
                return consequences;
            }

            @Override
            public Consequences over(Consequences same) {
                return same;
            }
        };
    }

    /**
     * A follower bound to the facts of one batch. The log calls it once for each entry, in order, so it may count them.
     */
    interface Consequences {
        /** The agents that should answer an entry of this command that was just placed. */
        default List<Engagement> engage(Command command, Entry entry) {
            return List.of();
        }

        /** The further changes that the entry causes; not another entry. The entry already carries its engagement. */
        List<Change> follow(Command command, Entry entry);
    }
}
