package dev.parley.erasure;

import static dev.parley.erasure.ErasureStepWriter.update;

import dev.parley.ingest.QuoteMarks;
import dev.parley.log.Redaction;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Changes the rows of quoted messages, and the contexts that quote them, inside the lane's transaction. */
final class QuoteRows {
    private QuoteRows() {}

    /** Marks the quotes of erased entries in all threads; quotes within the entries are removed at once. */
    static void markQuotesOf(Connection connection, ThreadId thread, Object seqs) throws SQLException {
        update(connection, QuoteMarks.LOCK);
        update(connection, "delete from thread_quotes where thread_id = ? and seq = any (?)", thread.value(), seqs);
        QuoteMarks.mark(connection, thread, seqs);
    }

    /**
     * Removes the whole {@code thread_context} of each entry, because the lines of one message cannot be told from the
     * others.
     */
    static void remove(Connection connection, ThreadId thread, List<Long> seqs) throws SQLException {
        // Waits for transactions that write contexts of this thread; see ContextStore.
        update(connection, "select 1 from threads where thread_id = ? for update", thread.value());
        Redaction.ofMetadata(connection, thread, seqs, QuoteRows::withoutContext);
        update(connection, """
                update thread_quotes set erased_at = coalesce(erased_at, now()), removed_at = now()
                where thread_id = ? and seq = any (?)""", thread.value(), connection.createArrayOf("bigint", seqs.toArray()));
    }

    private static String withoutContext(String metadata) {
        if (!(Json.MAPPER.readTree(metadata) instanceof ObjectNode remaining)
                || remaining.remove("thread_context") == null) {
            return metadata;
        }
        if (remaining.path("thread_history") instanceof ObjectNode history) {
            history.put("messages", 0).put("left_out", 0).put("problem", "A quoted message was erased.");
        }
        return Json.MAPPER.writeValueAsString(remaining);
    }
}
