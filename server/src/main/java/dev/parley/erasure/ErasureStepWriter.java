package dev.parley.erasure;

import dev.parley.log.EffectWriter;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.SqlBatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Executes erasure steps inside the lane's transaction: no entry is appended to the thread meanwhile. */
public final class ErasureStepWriter implements EffectWriter<ErasureStep> {
    /** The maximum number of edits and reactions that one step erases. */
    static final int REVISIONS = 1_000;

    /** True if a participant is erased, or is being erased. */
    private static final String ERASED = """
            exists (select 1 from erasures e where e.subject_actor = p.actor and e.said_before is null)""";

    /** True if a person who is not erased manages the thread. */
    private static final String HAS_MANAGER = """
            exists (
                select 1 from participants p
                where p.thread_id = ? and p.actor like 'user:%' and p.capabilities & 8 <> 0 and not <erased>)""".replace("<erased>", ERASED);

    @Override
    public Class<ErasureStep> type() {
        return ErasureStep.class;
    }

    @Override
    public void write(SqlBatch batch, List<ErasureStep> steps) throws SQLException {
        Connection connection = batch.connection();
        for (ErasureStep step : steps) {
            switch (step) {
                case ErasureStep.Entries entries -> erase(connection, entries);
                case ErasureStep.Quotes(ThreadId thread, List<Long> seqs) -> QuoteRows.remove(connection, thread, seqs);
                case ErasureStep.Closing(ErasureTask work) -> close(connection, work);
            }
        }
    }

    private static void erase(Connection connection, ErasureStep.Entries step) throws SQLException {
        ThreadId thread = step.thread();
        // This lock waits for writers of search words and contexts, and makes later writers wait; see Recall and
        // ContextStore.
        update(connection, "select 1 from threads where thread_id = ? for update", thread.value());
        if (step.alone() != null && isShared(connection, thread, step.alone(), step.seqs())) {
            update(connection, """
                    update erasure_threads set whole = false
                    where erasure_id = ? and thread_id = ?""", step.erasure(), thread.value());
            return;
        }
        List<Long> revisions = revisions(connection, thread, step.seqs());
        // If the revisions are too many for one step, this step erases only revisions, and the revised messages are
        // tried again.
        boolean all = revisions.size() < REVISIONS;
        Object seqs = longs(
                connection,
                all ? Stream.concat(step.seqs().stream(), revisions.stream()).toList() : revisions);
        int erased = update(connection, """
                update entries set content = '', metadata = null, mentions = null, engagement = null, salt = null,
                    fingerprint = null, redacted_digest = null, erased_at = now()
                where thread_id = ? and seq = any (?) and erased_at is null""", thread.value(), seqs);
        update(connection, "delete from recall_words where thread_id = ? and seq = any (?)", thread.value(), seqs);
        eraseDerived(connection, thread, seqs);
        update(connection, """
                update threads set title = null, title_seq = null
                where thread_id = ? and title_seq = any (?)""", thread.value(), seqs);
        renewPreview(connection, thread, step.lastSeq());
        update(connection, """
                update erasure_threads
                set entries_to = greatest(entries_to, ?), entries = entries + ?, erased_at = now()
                where erasure_id = ? and thread_id = ?""", all ? step.to() : 0, (long) erased, step.erasure(), thread.value());
        // This statement comes last, because appends that quote these messages wait from here to the commit.
        QuoteRows.markQuotesOf(connection, thread, seqs);
    }

    /**
     * True if another person has joined the thread, or is an author of these entries. Neither was true when the erasure
     * found the thread.
     */
    static boolean isShared(Connection connection, ThreadId thread, Actor alone, List<Long> seqs) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                select exists (
                    select 1 from participants where thread_id = ? and actor <> ? and actor not like 'agent:%')
                or exists (
                    select 1 from entries
                    where thread_id = ? and seq = any (?) and author <> ? and author not like 'agent:%'
                        and author <> 'system:parley')""")) {
            statement.setObject(1, thread.value());
            statement.setString(2, alone.value());
            statement.setObject(3, thread.value());
            statement.setObject(4, longs(connection, seqs));
            statement.setString(5, alone.value());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    /**
     * The revisions that must be erased with messages: edits repeat the text, and reactions are content of their own.
     */
    static List<Long> revisions(Connection connection, ThreadId thread, List<Long> seqs) throws SQLException {
        List<Long> all = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement("""
                select seq from entries
                where thread_id = ? and target_seq = any (?) and kind in (1, 2, 5) and erased_at is null
                union all
                select seq from entries
                where thread_id = ? and target_seq = any (?) and kind in (3, 4) and erased_at is null
                limit ?""")) {
            Object targets = longs(connection, seqs);
            statement.setObject(1, thread.value());
            statement.setObject(2, targets);
            statement.setObject(3, thread.value());
            statement.setObject(4, targets);
            statement.setInt(5, REVISIONS);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    all.add(row.getLong(1));
                }
            }
        }
        return all;
    }

    /** Erases the copies that other faces keep of the same messages. */
    private static void eraseDerived(Connection connection, ThreadId thread, Object seqs) throws SQLException {
        update(connection, """
                update session_runs s set document = '{}', version = s.version + 1
                where s.thread_id = ? and s.document is not null and s.document::text <> '{}' and s.run_id in (
                    select c.run_id from chat_events c
                    where c.thread_id = s.thread_id and c.seq = any (?))""", thread.value(), seqs);
        // Clients choose the names of agents, so these names are content as well.
        update(connection, """
                update session_runs s set agent_name = null, team_name = null
                where s.thread_id = ? and (s.agent_name is not null or s.team_name is not null) and s.run_id in (
                    select c.run_id from chat_events c
                    where c.thread_id = s.thread_id and c.seq = any (?))""", thread.value(), seqs);
        // The empty fingerprint matches every message.
        update(connection, """
                update chat_events set message_data = json_build_object('id', message_id, 'role', role), media = null,
                    fingerprint = '', user_id = null, agent_name = null, team_name = null
                where thread_id = ? and seq = any (?)""", thread.value(), seqs);
        // Unsent deliveries are dropped, except retractions. Sent ones keep the platform's message id, which later
        // revisions need.
        update(connection, """
                delete from deliveries
                where thread_id = ? and seq = any (?) and state <> 'sent'
                    and not (revises is not null and content = '')""", thread.value(), seqs);
        update(connection, """
                update deliveries set content = '', problem = null
                where thread_id = ? and seq = any (?)""", thread.value(), seqs);
        update(connection, """
                update inbound_events set dispatch_config = null
                where thread_id = ? and seq = any (?)""", thread.value(), seqs);
    }

    /**
     * Clears the preview in lists. If the latest message is erased, the row is advanced to the end of the log. A writer
     * that read the message earlier and waits for the row then finds nothing to write.
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

    private static void close(Connection connection, ErasureTask work) throws SQLException {
        ThreadId thread = work.thread();
        if (work.alone() != null && isShared(connection, thread, work.alone(), List.of())) {
            // The thread has become shared, and is tried again as a shared thread.
            return;
        }
        if (work.erasesAll()) {
            update(connection, "update threads set title = null, title_seq = null where thread_id = ?", thread.value());
        }
        if (work.actor() != null && work.before() == null) {
            String actor = work.actor().value();
            // The erased person's private agents may carry the person's name.
            update(connection, """
                    update participants set display_name = actor
                    where thread_id = ? and (actor = ? or actor in (
                        select 'agent:' || agent_id from agents
                        where owner = ? and visibility = 'private' and file_name is null))""", thread.value(), actor, actor);
            handOver(connection, thread, actor);
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

    /**
     * Keeps a manager in the thread. If the erased person is the last manager, the person who has been in the thread
     * longest becomes manager. The erased person loses the right once another person has it.
     */
    private static void handOver(Connection connection, ThreadId thread, String actor) throws SQLException {
        update(
                connection,
                """
                update participants set capabilities = capabilities | 15
                where thread_id = ? and actor = (
                    select p.actor from participants p
                    where p.thread_id = ? and p.actor like 'user:%' and not <erased>
                    order by p.joined_at, p.actor limit 1)
                and exists (
                    select 1 from participants p where p.thread_id = ? and p.actor = ? and p.capabilities & 8 <> 0)
                and not <managed>""".replace("<managed>", HAS_MANAGER).replace("<erased>", ERASED),
                thread.value(),
                thread.value(),
                thread.value(),
                actor,
                thread.value());
        update(connection, """
                update participants set capabilities = capabilities & ~8
                where thread_id = ? and actor = ? and actor like 'user:%' and <managed>""".replace("<managed>", HAS_MANAGER), thread.value(), actor, thread.value());
    }

    private static Object longs(Connection connection, List<Long> values) throws SQLException {
        return connection.createArrayOf("bigint", values.toArray());
    }

    static int update(Connection connection, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.execute() ? 0 : statement.getUpdateCount();
        }
    }
}
