package dev.parley.threads;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.SqlArrays;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The fact query behind the rules about members: one index probe per (thread, actor). */
final class MemberQuery {
    private MemberQuery() {}

    static Map<MembershipRule.Member, Integer> read(Connection connection, List<MembershipRule.Member> members)
            throws SQLException {
        Map<MembershipRule.Member, Integer> found = new HashMap<>();
        if (members.isEmpty()) {
            return found;
        }
        String sql = """
                select wanted.thread_id, wanted.actor, held.capabilities
                from unnest(?::uuid[], ?::text[]) as wanted (thread_id, actor)
                cross join lateral (
                    select p.capabilities from participants p
                    where p.thread_id = wanted.thread_id and p.actor = wanted.actor limit 1) as held""";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new SqlArrays(connection, statement)
                    .uuids(members, member -> member.thread().value())
                    .texts(members, member -> member.actor().value());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.put(
                            new MembershipRule.Member(
                                    new ThreadId(rows.getObject(1, UUID.class)), new Actor(rows.getString(2))),
                            rows.getInt(3));
                }
            }
        }
        return found;
    }
}
