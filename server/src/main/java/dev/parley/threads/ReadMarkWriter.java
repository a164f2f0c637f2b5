package dev.parley.threads;

import dev.parley.log.EffectWriter;
import dev.parley.storage.SqlArrays;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Moves the markers of a batch's authors, each once, never back. */
public final class ReadMarkWriter implements EffectWriter<ReadMark> {
    @Override
    public Class<ReadMark> type() {
        return ReadMark.class;
    }

    @Override
    public void write(Connection connection, List<ReadMark> marks) throws SQLException {
        // In one order everywhere: two who move many marks at once must not wait for each other in a ring.
        Map<MembershipRule.Member, Long> furthest = new TreeMap<>(Comparator.comparing(
                        (MembershipRule.Member member) -> member.thread().toString())
                .thenComparing(member -> member.actor().value()));
        for (ReadMark mark : marks) {
            furthest.merge(new MembershipRule.Member(mark.thread(), mark.actor()), mark.seq(), Math::max);
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
