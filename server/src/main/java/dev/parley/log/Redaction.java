package dev.parley.log;

import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Removes a part of the metadata from entries, inside the lane's transaction. The entry keeps its digest, because the
 * chain is computed over the digest. The entry gets a new salt, because the old salt would allow testing guesses of the
 * removed part against the digest. A second digest covers the remaining content.
 */
public final class Redaction {
    private static final String SELECT = """
            select %s from entries e
            where e.thread_id = ? and e.seq = any (?) and e.erased_at is null and e.metadata is not null
            order by e.seq for update""".formatted(EntryRow.columns("e"));

    private static final String UPDATE = """
            update entries set metadata = ?::json, salt = ?, redacted_digest = ? where thread_id = ? and seq = ?""";

    private Redaction() {}

    /** @param redact returns the remaining metadata; an entry stays unchanged if its metadata is returned unchanged */
    public static void ofMetadata(Connection connection, ThreadId thread, List<Long> seqs, UnaryOperator<String> redact)
            throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(UPDATE)) {
            for (Entry entry : find(connection, thread, seqs)) {
                String metadata = String.valueOf(entry.content().metadata());
                String left = redact.apply(metadata);
                if (!left.equals(metadata)) {
                    Digest salt = Draft.freshSalt();
                    update.setString(1, left);
                    update.setBytes(2, salt.bytes());
                    update.setBytes(
                            3,
                            digest(entry, entry.content().withMetadata(left), salt)
                                    .bytes());
                    update.setObject(4, thread.value());
                    update.setLong(5, entry.seq());
                    update.addBatch();
                }
            }
            update.executeBatch();
        }
    }

    private static List<Entry> find(Connection connection, ThreadId thread, List<Long> seqs) throws SQLException {
        List<Entry> entries = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(SELECT)) {
            select.setObject(1, thread.value());
            select.setArray(2, connection.createArrayOf("bigint", seqs.toArray()));
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    entries.add(EntryRow.read(row));
                }
            }
        }
        return entries;
    }

    /** The digest of an entry with this content and this salt. */
    static Digest digest(Entry entry, EntryContent content, Digest salt) {
        Instant time = entry.createdAt();
        Head before = new Head(entry.thread(), entry.seq() - 1, entry.position() - 1, time, Digest.ZERO, 0);
        return Entry.place(content, salt, before, time, entry.staleLag()).digest();
    }
}
