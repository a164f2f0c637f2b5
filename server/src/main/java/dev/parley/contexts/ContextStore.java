package dev.parley.contexts;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import dev.parley.storage.SqlArrays;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Stores contexts. A beginning that several contexts share is stored once. */
final class ContextStore {
    private static final int FORGOTTEN_AT_ONCE = 2_000;
    /** The usual number of blocks that a turn adds: an answer, one or two results of calls, and the next question. */
    private static final int ADDED_BY_A_TURN = 4;

    /**
     * Stores a context in one round trip and one transaction, because every request of every run passes here. The first
     * statement lets the commit return before the disk has the data. The run's first visible event is committed later,
     * and that commit waits for the disk and flushes everything before it. The second statement waits for a concurrent
     * deletion of the thread's contexts, and locks the thread; later statements see the remaining blocks. A run that is
     * retried after a crash makes its request again, and its new context replaces the context of the first attempt.
     *
     * <p>The JDBC driver sends all parts at once, which makes them one transaction. This requires that no part with
     * parameters returns text, because the JDBC driver would have to flush the earlier parts before it reads such a
     * result.
     */
    private static final String KEEP = """
            select set_config('synchronous_commit', 'off', true);
            select 1 from threads t cross join pg_advisory_xact_lock_shared(hashtextextended('contexts ' || ?::uuid, 0))
            where t.thread_id = ? and t.deleted_at is null for key share of t;
            insert into context_blocks (thread_id, hash, previous, block)
            select ?, new.hash, new.previous, new.block from unnest(?, ?, ?::json[]) as new (hash, previous, block)
            where exists (select 1 from threads where thread_id = ? and deleted_at is null)
            on conflict do nothing;
            insert into run_contexts (thread_id, task_id, request, agent, version, provider, model, tip, tools, messages,
                estimated_tokens, created_at)
            select t.thread_id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
            from threads t
            where t.thread_id = ? and t.deleted_at is null and (?::bytea is null
                or exists (select 1 from context_blocks where thread_id = t.thread_id and hash = ?))
            on conflict (thread_id, task_id, request) do update set
                version = excluded.version, provider = excluded.provider, model = excluded.model,
                tip = excluded.tip, tools = excluded.tools, messages = excluded.messages,
                estimated_tokens = excluded.estimated_tokens, sent_hash = null, sent_bytes = null,
                created_at = excluded.created_at""";

    private final Database database;

    ContextStore(Database database) {
        this.database = database;
    }

    /** The context of a request, before it is sent. */
    record NewContext(
            ThreadId thread,
            UUID task,
            int request,
            Actor agent,
            int version,
            @Nullable String provider,
            @Nullable String model,
            ContextBlock.Chain chain,
            @Nullable ContextBlock tools,
            int estimatedTokens) {}

    /**
     * Stores the context. Blocks that the chain shares with the previous chain are sent only if the database lacks
     * them, because the database may have lost blocks that were not flushed. A deleted thread gets no context.
     */
    void keep(NewContext context, Instant now) {
        int known = likelyKnown(context.chain());
        boolean kept = database.once(handle -> keep(handle, context, known, now));
        if (!kept && known > 0) {
            database.once(handle -> keep(handle, context, 0, now));
        }
    }

    /**
     * The number of leading blocks that are probably stored. If the previous chain is not in memory (it was evicted, or
     * another node stored it), the number is an estimate: all blocks except those of one turn. A block is never stored
     * without the blocks before it.
     */
    private static int likelyKnown(ContextBlock.Chain chain) {
        return chain.known() > 0 ? chain.known() : Math.max(0, chain.blocks().size() - ADDED_BY_A_TURN);
    }

    /**
     * @param known the number of leading blocks that are assumed to be stored
     * @return false if these blocks are missing or the thread is deleted; the context is then not stored
     */
    private static boolean keep(Handle handle, NewContext context, int known, Instant now) {
        List<ContextBlock> blocks = context.chain().blocks();
        List<ContextBlock> fresh = new ArrayList<>(blocks.subList(known, blocks.size()));
        ContextBlock tools = context.tools();
        if (tools != null) {
            fresh.add(tools);
        }
        byte[] last = known == 0 ? null : blocks.get(known - 1).hash();
        UUID thread = context.thread().value();
        Connection connection = handle.getConnection();
        try (PreparedStatement statement = connection.prepareStatement(KEEP)) {
            statement.setObject(1, thread);
            statement.setObject(2, thread);
            statement.setObject(3, thread);
            new SqlArrays(connection, statement, 4)
                    .bytes(fresh, ContextBlock::hash)
                    .bytes(fresh, ContextBlock::previous)
                    .texts(fresh, ContextBlock::json);
            statement.setObject(7, thread);
            statement.setObject(8, context.task());
            statement.setInt(9, context.request());
            statement.setString(10, context.agent().value());
            statement.setInt(11, context.version());
            statement.setString(12, context.provider());
            statement.setString(13, context.model());
            statement.setBytes(14, blocks.isEmpty() ? null : blocks.getLast().hash());
            statement.setBytes(15, tools == null ? null : tools.hash());
            statement.setInt(16, blocks.size());
            statement.setInt(17, context.estimatedTokens());
            statement.setObject(18, now.atOffset(ZoneOffset.UTC));
            statement.setObject(19, thread);
            statement.setBytes(20, last);
            statement.setBytes(21, last);
            return lastCount(statement) > 0;
        } catch (SQLException failed) {
            throw new IllegalStateException("Could not store a context", failed);
        }
    }

    /** Executes all parts of a statement; returns the number of rows that the last one wrote. */
    private static int lastCount(PreparedStatement statement) throws SQLException {
        int count = 0;
        boolean rows = statement.execute();
        while (rows || statement.getUpdateCount() >= 0) {
            count = rows ? 0 : statement.getUpdateCount();
            rows = statement.getMoreResults();
        }
        return count;
    }

    /** {@link #KEEP} explains why the commit need not wait. */
    private static void commitAsynchronously(Handle handle) {
        handle.execute("set local synchronous_commit to off");
    }

    void sent(ThreadId thread, UUID task, int request, byte[] hash, long bytes) {
        database.transact(handle -> {
            commitAsynchronously(handle);
            return handle.createUpdate("""
                        update run_contexts set sent_hash = :hash, sent_bytes = :bytes
                        where thread_id = :thread and task_id = :task and request = :request""")
                    .bind("hash", hash)
                    .bind("bytes", bytes)
                    .bind("thread", thread.value())
                    .bind("task", task)
                    .bind("request", request)
                    .execute();
        });
    }

    /** @param request the number of the request; null for the last */
    Optional<StoredContext> find(ThreadId thread, UUID task, @Nullable Integer request) {
        return database.read(handle -> handle.createQuery("""
                        select c.*, (select max(request) + 1 from run_contexts where thread_id = :thread and task_id = :task)
                            as requests
                        from run_contexts c
                        where c.thread_id = :thread and c.task_id = :task and c.request = coalesce(:request,
                            (select max(request) from run_contexts where thread_id = :thread and task_id = :task))""")
                .bind("thread", thread.value())
                .bind("task", task)
                .bind("request", request)
                .map((row, context) -> read(handle, thread, row))
                .findOne());
    }

    private static StoredContext read(Handle handle, ThreadId thread, ResultSet row) throws SQLException {
        byte[] tip = row.getBytes("tip");
        byte[] tools = row.getBytes("tools");
        byte[] sent = row.getBytes("sent_hash");
        long bytes = row.getLong("sent_bytes");
        Long sentBytes = row.wasNull() ? null : bytes;
        byte[] shown = sent != null ? sent : tip != null ? tip : new byte[0];
        return new StoredContext(
                new Actor(row.getString("agent")),
                row.getInt("version"),
                row.getInt("request"),
                row.getInt("requests"),
                row.getString("provider"),
                row.getString("model"),
                tip == null ? List.of() : blocks(handle, thread, tip),
                tools == null
                        ? List.of()
                        : blocks(handle, thread, tools).stream()
                                .flatMap(block -> block.path("tools").valueStream())
                                .toList(),
                row.getInt("estimated_tokens"),
                HexFormat.of().formatHex(shown),
                sentBytes,
                row.getObject("created_at", OffsetDateTime.class).toInstant());
    }

    private static List<JsonNode> blocks(Handle handle, ThreadId thread, byte[] tip) {
        return handle.createQuery("""
                        with recursive chain as (
                            select hash, previous, block, 1 as back from context_blocks
                            where thread_id = :thread and hash = :tip
                            union all
                            select b.hash, b.previous, b.block, c.back + 1
                            from chain c join context_blocks b on b.thread_id = :thread and b.hash = c.previous)
                        select block from chain order by back desc""")
                .bind("thread", thread.value())
                .bind("tip", tip)
                .map((row, context) -> Json.MAPPER.readTree(row.getString("block")))
                .list();
    }

    /** The threads that have contexts older than a time. */
    List<ThreadId> withContextsBefore(Instant time, int limit) {
        return database.read(handle -> handle.createQuery("""
                        select distinct thread_id from (
                            select thread_id from run_contexts where created_at < :time
                            order by created_at limit :limit) as oldest""")
                .bind("time", time.atOffset(ZoneOffset.UTC))
                .bind("limit", limit)
                .mapTo(UUID.class)
                .map(ThreadId::new)
                .list());
    }

    /**
     * Deletes a thread's contexts from before a time, and the blocks that no other context uses.
     *
     * @param time null to delete all contexts
     */
    void forgetBefore(ThreadId thread, @Nullable Instant time) {
        OffsetDateTime limit = time == null ? OffsetDateTime.MAX : time.atOffset(ZoneOffset.UTC);
        forgetAll("""
                delete from run_contexts where ctid = any (array(
                    select ctid from run_contexts where thread_id = :thread and created_at < :time limit :limit))""", thread, limit);
        forgetAll("""
                with recursive kept as (
                    select unnest(array[tip, tools]) as hash from run_contexts
                    where thread_id = :thread
                    union
                    select b.previous from kept k join context_blocks b on b.thread_id = :thread and b.hash = k.hash)
                delete from context_blocks where ctid = any (array(
                    select b.ctid from context_blocks b
                    where b.thread_id = :thread and not exists (select 1 from kept k where k.hash = b.hash)
                    limit :limit))""", thread, limit);
    }

    private void forgetAll(String sql, ThreadId thread, OffsetDateTime time) {
        int deleted = FORGOTTEN_AT_ONCE;
        while (deleted == FORGOTTEN_AT_ONCE) {
            deleted = database.transact(handle -> {
                lock(handle, thread);
                return handle.createUpdate(sql)
                        .bind("thread", thread.value())
                        .bind("time", time)
                        .bind("limit", FORGOTTEN_AT_ONCE)
                        .execute();
            });
        }
    }

    /**
     * Locks the thread's contexts, but not the thread's row. Otherwise, transactions that change or reference the row
     * would wait for a walk over contexts.
     */
    private static void lock(Handle handle, ThreadId thread) {
        handle.createQuery("select 1 from pg_advisory_xact_lock(hashtextextended('contexts ' || :thread, 0))")
                .bind("thread", thread.value())
                .mapTo(Integer.class)
                .one();
    }
}
