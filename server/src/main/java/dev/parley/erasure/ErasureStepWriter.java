package dev.parley.erasure;

import dev.parley.log.EffectWriter;
import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Carries steps of erasures out inside the lane's transaction: nothing is appended to the thread meanwhile. */
public final class ErasureStepWriter implements EffectWriter<ErasureStep> {
    @Override
    public Class<ErasureStep> type() {
        return ErasureStep.class;
    }

    @Override
    public void write(Connection connection, List<ErasureStep> steps) throws SQLException {
        for (ErasureStep step : steps) {
            switch (step) {
                case ErasureStep.Entries entries -> erase(connection, entries);
                case ErasureStep.Closing(Work work) -> close(connection, work);
            }
        }
    }

    private static void erase(Connection connection, ErasureStep.Entries step) throws SQLException {
        ThreadId thread = step.thread();
        // Whoever gathers words, or keeps a context, is done or waits; see Recall and ContextStore.
        update(connection, "select 1 from threads where thread_id = ? for update", thread.value());
        Object seqs = longs(connection, withRevisions(connection, thread, step.seqs()));
        int erased = update(connection, """
                update entries set content = '', metadata = null, mentions = null, engagement = null, salt = null,
                    fingerprint = null, erased_at = now()
                where thread_id = ? and seq = any (?) and erased_at is null""", thread.value(), seqs);
        update(connection, "delete from recall_words where thread_id = ? and seq = any (?)", thread.value(), seqs);
        eraseBeside(connection, thread, seqs);
        update(connection, """
                update threads set title = null, title_seq = null
                where thread_id = ? and title_seq = any (?)""", thread.value(), seqs);
        renewPreview(connection, thread, step.lastSeq());
        update(connection, """
                update erasure_threads
                set entries_to = greatest(entries_to, ?), entries = entries + ?, erased_at = now()
                where erasure_id = ? and thread_id = ?""", step.to(), (long) erased, step.erasure(), thread.value());
    }

    /** An edit has the text again, and a reaction says what somebody thought of it. */
    private static List<Long> withRevisions(Connection connection, ThreadId thread, List<Long> seqs)
            throws SQLException {
        List<Long> all = new ArrayList<>(seqs);
        try (PreparedStatement statement = connection.prepareStatement("""
                select seq from entries where thread_id = ? and target_seq = any (?) and kind in (1, 2, 5)
                union all
                select seq from entries where thread_id = ? and target_seq = any (?) and kind in (3, 4)""")) {
            Object targets = longs(connection, seqs);
            statement.setObject(1, thread.value());
            statement.setObject(2, targets);
            statement.setObject(3, thread.value());
            statement.setObject(4, targets);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    all.add(row.getLong(1));
                }
            }
        }
        return all;
    }

    /** What other faces keep of the same messages. */
    private static void eraseBeside(Connection connection, ThreadId thread, Object seqs) throws SQLException {
        update(connection, """
                update session_runs s set document = '{}', version = s.version + 1
                where s.thread_id = ? and s.document is not null and s.document::text <> '{}' and s.run_id in (
                    select c.run_id from chat_events c
                    where c.thread_id = s.thread_id and c.seq = any (?))""", thread.value(), seqs);
        // The empty fingerprint is that of every message.
        update(connection, """
                update chat_events set message_data = json_build_object('id', message_id, 'role', role), media = null,
                    fingerprint = '', user_id = null
                where thread_id = ? and seq = any (?)""", thread.value(), seqs);
        // What was not sent shall not be; of what was sent, the platform's name for it is needed for its revisions.
        update(connection, """
                delete from deliveries
                where thread_id = ? and seq = any (?) and state <> 'sent'""", thread.value(), seqs);
        update(connection, """
                update deliveries set content = '', problem = null
                where thread_id = ? and seq = any (?)""", thread.value(), seqs);
        update(connection, """
                update inbound_events set dispatch_config = null
                where thread_id = ? and seq = any (?)""", thread.value(), seqs);
    }

    /**
     * What lists show. If the latest message is erased the row is brought up to the log's end, so that whoever has read
     * that message before this, and waits for the row, finds nothing to write any more.
     */
    private static void renewPreview(Connection connection, ThreadId thread, long lastSeq) throws SQLException {
        update(connection, """
                update thread_activity a set
                    last_seq = case when latest.erased then greatest(a.last_seq, ?) else a.last_seq end,
                    last_message_at = case when latest.erased then latest.created_at else a.last_message_at end,
                    last_message_preview = case when latest.erased or (
                        select e.erased_at is not null from entries e
                        where e.thread_id = ? and e.kind = 0 and e.seq <= a.last_seq order by e.seq desc limit 1)
                        then '' else a.last_message_preview end
                from (
                    select e.erased_at is not null as erased, e.created_at from entries e
                    where e.thread_id = ? and e.kind = 0 order by e.seq desc limit 1) as latest
                where a.thread_id = ?""", lastSeq, thread.value(), thread.value(), thread.value());
    }

    private static void close(Connection connection, Work work) throws SQLException {
        ThreadId thread = work.thread();
        if (work.everything()) {
            update(connection, "update threads set title = null, title_seq = null where thread_id = ?", thread.value());
        }
        if (work.actor() != null) {
            update(
                    connection,
                    "update participants set display_name = actor where thread_id = ? and actor = ?",
                    thread.value(),
                    work.actor().value());
        }
        update(
                connection,
                """
                update erasure_threads w set done_at = now()
                where w.erasure_id = ? and w.thread_id = ? and not exists (
                    select 1 from entries e where e.thread_id = w.thread_id and e.seq > w.entries_to
                        and e.erased_at is null and (? or e.author = ?)
                        and e.created_at < coalesce(?::timestamptz, 'infinity'))""",
                work.erasure(),
                thread.value(),
                work.whole(),
                work.actor() == null ? null : work.actor().value(),
                work.before() == null ? null : work.before().atOffset(ZoneOffset.UTC));
    }

    private static Object longs(Connection connection, List<Long> values) throws SQLException {
        return connection.createArrayOf("bigint", values.toArray());
    }

    private static int update(Connection connection, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.execute() ? 0 : statement.getUpdateCount();
        }
    }
}
