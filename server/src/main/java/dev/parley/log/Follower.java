package dev.parley.log;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;

/**
 * What one feature does because an entry was placed: who should answer it, and what is written along with it. It never
 * refuses; a {@link Rule} does.
 *
 * @param <F> the facts; nothing that follows changes them
 */
public interface Follower<F> {
    /** Reads what following these commands needs, in the lane's transaction, with these heads locked. */
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

    /** A follower bound to the facts of one batch. Asked once about each entry, in order: it may count them. */
    interface Consequences {
        /** Which agents should answer an entry of this command that was just placed. */
        default List<Engagement> engage(Command command, Entry entry) {
            return List.of();
        }

        /** What else is done because of it; not another entry. The entry knows who should answer it. */
        List<Change> follow(Command command, Entry entry);
    }
}
