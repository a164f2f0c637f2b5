package dev.parley.log;

import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongConsumer;

/**
 * Checks the log of each thread in a range by a {@link Chain}. The check reads row by row in the one snapshot of the
 * connection's transaction. So servers may keep writing, and the check needs little memory.
 */
public final class ChainCheck {
    private static final int FETCHED_AT_ONCE = 100;
    /** Leaves out deleted threads, because a deleted thread keeps its head and loses its entries piece by piece. */
    private static final String HEADS = """
            select h.thread_id, h.last_seq, h.last_position, h.last_created_at, h.head_hash
            from thread_heads h join threads t on t.thread_id = h.thread_id
            where h.thread_id between ? and ? and t.deleted_at is null""";

    private static final String ENTRIES = """
            select %s, e.salt, e.redacted_digest from entries e join threads t on t.thread_id = e.thread_id
            where e.thread_id between ? and ? and t.deleted_at is null order by e.thread_id, e.seq""".formatted(EntryRow.columns("e"));

    private final Connection connection;
    private final Findings findings;
    private final LongConsumer checked;

    /** Receives the faults that the check finds. */
    public interface Findings {
        void add(ThreadId thread, String fault);
    }

    /**
     * @param connection a connection in a transaction that sees one state of the database
     * @param checked receives the number of entries checked since its last call
     */
    public ChainCheck(Connection connection, Findings findings, LongConsumer checked) {
        this.connection = connection;
        this.findings = findings;
        this.checked = checked;
    }

    /** Checks the threads from the first to the last, both included; their heads must fit into memory. */
    public void check(ThreadId first, ThreadId last) throws SQLException {
        Map<UUID, Chain> chains = chains(first, last);
        try (PreparedStatement entries = connection.prepareStatement(ENTRIES)) {
            entries.setFetchSize(FETCHED_AT_ONCE);
            entries.setObject(1, first.value());
            entries.setObject(2, last.value());
            try (ResultSet row = entries.executeQuery()) {
                long count = 0;
                while (row.next()) {
                    accept(chains, row);
                    if (++count % FETCHED_AT_ONCE == 0) {
                        checked.accept(FETCHED_AT_ONCE);
                    }
                }
                checked.accept(count % FETCHED_AT_ONCE);
            }
        }
        chains.values().forEach(Chain::finish);
    }

    private Map<UUID, Chain> chains(ThreadId first, ThreadId last) throws SQLException {
        Map<UUID, Chain> chains = new HashMap<>();
        try (PreparedStatement heads = connection.prepareStatement(HEADS)) {
            heads.setObject(1, first.value());
            heads.setObject(2, last.value());
            try (ResultSet row = heads.executeQuery()) {
                while (row.next()) {
                    Head head = new Head(
                            new ThreadId(row.getObject("thread_id", UUID.class)),
                            row.getLong("last_seq"),
                            row.getLong("last_position"),
                            row.getObject("last_created_at", OffsetDateTime.class)
                                    .toInstant(),
                            Digest.of(row.getBytes("head_hash")),
                            0);
                    chains.put(head.thread().value(), chain(head));
                }
            }
        }
        return chains;
    }

    private Chain chain(Head head) {
        return new Chain(head, fault -> findings.add(head.thread(), fault));
    }

    private void accept(Map<UUID, Chain> chains, ResultSet row) throws SQLException {
        UUID thread = row.getObject("entry_thread_id", UUID.class);
        Chain chain = chains.get(thread);
        if (chain == null) {
            ThreadId headless = new ThreadId(thread);
            findings.add(headless, "it has entries, but no head");
            chains.put(thread, new Chain(Head.empty(headless, Instant.MIN), fault -> {}));
            return;
        }
        byte[] salt = row.getBytes("salt");
        byte[] redacted = row.getBytes("redacted_digest");
        Entry entry;
        try {
            entry = EntryRow.read(row);
        } catch (RuntimeException unreadable) {
            findings.add(
                    new ThreadId(thread), "the entry with seq %d cannot be read".formatted(row.getLong("entry_seq")));
            return;
        }
        chain.accept(entry, salt == null ? null : Digest.of(salt), redacted == null ? null : Digest.of(redacted));
    }
}
