package dev.parley.archive;

import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A range of threads by their ids, small enough for one transaction.
 *
 * @param threads the number of threads
 */
record ThreadRange(ThreadId first, ThreadId last, long threads) {
    /** Limit of the positions in a range. A thread with more positions is a range by itself. */
    private static final long MAX_POSITIONS = 20_000;

    private static final int MAX_THREADS = 500;

    private static final String NEXT = """
            select t.thread_id, coalesce(h.last_position, 0)
            from threads t left join thread_heads h on h.thread_id = t.thread_id
            where t.thread_id\s""";

    private static final String IN_ORDER = " ? order by t.thread_id limit " + MAX_THREADS;

    private static final UUID LEAST = new UUID(0, 0);

    static ThreadRange of(ThreadId only) {
        return new ThreadRange(only, only, 1);
    }

    /** The next threads after an id, as the connection's transaction sees them. */
    static Optional<ThreadRange> after(Connection connection, @Nullable UUID after) throws SQLException {
        try (PreparedStatement next = connection.prepareStatement(NEXT + (after == null ? ">=" : ">") + IN_ORDER)) {
            next.setObject(1, after == null ? LEAST : after);
            try (ResultSet row = next.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                UUID first = row.getObject(1, UUID.class);
                UUID last = first;
                long positions = row.getLong(2);
                long threads = 1;
                while (row.next() && positions + row.getLong(2) <= MAX_POSITIONS) {
                    last = row.getObject(1, UUID.class);
                    positions += row.getLong(2);
                    threads++;
                }
                return Optional.of(new ThreadRange(new ThreadId(first), new ThreadId(last), threads));
            }
        }
    }
}
