package dev.parley.threads;

import dev.parley.log.EffectWriter;
import dev.parley.storage.SqlArrays;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Moves the read marks of a batch's authors, each once, never back. */
public final class ReadMarkWriter implements EffectWriter<ReadMark> {
    @Override
    public Class<ReadMark> type() {
        return ReadMark.class;
    }

    @Override
    public void write(Connection connection, List<ReadMark> marks) throws SQLException {
        // No other writer moves several of these rows at once: the heads of their threads are locked, and readers move
        // one at a time.
        Map<ThreadAccess.Membership, Long> furthest = new HashMap<>();
        for (ReadMark mark : marks) {
            furthest.merge(new ThreadAccess.Membership(mark.thread(), mark.actor()), mark.seq(), Math::max);
        }
        String sql = """
                update read_marks m set last_read_seq = new.seq
                from unnest(?::uuid[], ?::text[], ?::bigint[]) as new (thread_id, actor, seq)
                where m.thread_id = new.thread_id and m.actor = new.actor and m.last_read_seq < new.seq""";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new SqlArrays(connection, statement)
                    .uuids(furthest.keySet(), member -> member.thread().value())
                    .texts(furthest.keySet(), member -> member.actor().value())
                    .longs(furthest.values(), seq -> seq);
            statement.executeUpdate();
        }
    }
}
