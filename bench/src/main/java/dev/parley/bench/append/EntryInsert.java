package dev.parley.bench.append;

import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A prepared insert of one row. The row has every column that the server stores for a message, and its values have the
 * same sizes.
 */
final class EntryInsert implements AutoCloseable {
    private static final String COLUMNS = """
            (thread_id, seq, position, id, kind, author, role, content, metadata, mentions, reply_to,
                client_message_id, base_seq, latest_seen_seq, created_at, fingerprint, salt, digest)
            values (?, ?, ?, ?, 0, ?, 'user', ?, null, null, null, ?, null, null, ?, ?, ?, ?)
            """;
    private static final int HASH_BYTES = 32;
    private static final int SALT_BYTES = 16;

    private final PreparedStatement statement;
    private final String author = "user:" + UUID.randomUUID();
    private final String content;

    EntryInsert(Connection connection, String table, String content) throws SQLException {
        this.statement = connection.prepareStatement("insert into yardstick." + table + " " + COLUMNS);
        this.content = content;
    }

    void insert(ThreadId thread, long seq) throws SQLException {
        int column = 1;
        statement.setObject(column++, thread.value());
        statement.setLong(column++, seq);
        statement.setLong(column++, seq);
        statement.setString(column++, UUID.randomUUID().toString());
        statement.setString(column++, author);
        statement.setString(column++, content);
        statement.setString(
                column++, Long.toHexString(ThreadLocalRandom.current().nextLong()));
        statement.setObject(column++, OffsetDateTime.now(ZoneOffset.UTC), Types.TIMESTAMP_WITH_TIMEZONE);
        statement.setBytes(column++, random(HASH_BYTES));
        statement.setBytes(column++, random(SALT_BYTES));
        statement.setBytes(column, random(HASH_BYTES));
        statement.executeUpdate();
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        ThreadLocalRandom.current().nextBytes(bytes);
        return bytes;
    }

    @Override
    public void close() throws SQLException {
        statement.close();
    }
}
