package dev.parley.erasure;

import static dev.parley.erasure.ErasureStepWriter.update;

import dev.parley.log.Redaction;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The rows of quoted messages, and the contexts that quote them, inside the lane's transaction. */
final class QuoteRows {
    /**
     * Waits for appends that quote and have not committed, and holds new ones up until this transaction ends. Taken in a
     * statement of its own, so that the next one sees the rows of those appends.
     */
    static final String LOCK = "select 1 from pg_advisory_xact_lock(hashtextextended('thread_quotes', 0))";

    private QuoteRows() {}

    /** Marks the quotes of erased entries, in whichever threads they are; the entries' own quotes go at once. */
    static void markQuotesOf(Connection connection, ThreadId thread, Object seqs) throws SQLException {
        update(connection, LOCK);
        update(connection, "delete from thread_quotes where thread_id = ? and seq = any (?)", thread.value(), seqs);
        update(connection, """
                update thread_quotes q set erased_at = now()
                from (
                    select source, workspace, channel, external_message_id from inbound_events
                    where thread_id = ? and seq = any (?) and external_message_id is not null
                    union
                    select t.source, t.workspace, t.channel, d.external_id
                    from deliveries d join destinations t using (destination_id)
                    where d.thread_id = ? and d.seq = any (?) and d.external_id is not null) as gone
                where q.source = gone.source and q.workspace = gone.workspace and q.channel = gone.channel
                    and q.external_message_id = gone.external_message_id and q.erased_at is null""", thread.value(), seqs, thread.value(), seqs);
    }

    /** Takes the whole context out of each entry: its lines cannot be told apart again. */
    static void remove(Connection connection, ThreadId thread, List<Long> seqs) throws SQLException {
        // Whoever keeps a context is done or waits; see ContextStore.
        update(connection, "select 1 from threads where thread_id = ? for update", thread.value());
        Redaction.ofMetadata(connection, thread, seqs, QuoteRows::withoutContext);
        update(connection, """
                update thread_quotes set erased_at = coalesce(erased_at, now()), removed_at = now()
                where thread_id = ? and seq = any (?)""", thread.value(), connection.createArrayOf("bigint", seqs.toArray()));
    }

    private static String withoutContext(String metadata) {
        if (!(Json.MAPPER.readTree(metadata) instanceof ObjectNode left) || left.remove("thread_context") == null) {
            return metadata;
        }
        if (left.path("thread_history") instanceof ObjectNode history) {
            history.put("messages", 0).put("left_out", 0).put("problem", "A quoted message was erased.");
        }
        return Json.MAPPER.writeValueAsString(left);
    }
}
