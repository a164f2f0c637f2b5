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
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Where contexts are kept. A beginning that several share is stored once. */
final class ContextStore {
    private static final int FORGOTTEN_AT_ONCE = 2_000;

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
     * What its chain has in common with the one before it is offered again only if it is not there: a database may have
     * lost what it had not yet brought to the disk. Nothing is written into a thread that was deleted.
     */
    void keep(NewContext context, Instant now) {
        List<ContextBlock> blocks = context.chain().blocks();
        database.transact(handle -> {
            doNotWait(handle);
            Optional<Boolean> known = knownIn(handle, context.thread(), context.chain());
            if (known.isEmpty()) {
                return 0;
            }
            List<ContextBlock> fresh =
                    blocks.subList(known.get() ? context.chain().known() : 0, blocks.size());
            if (!fresh.isEmpty()) {
                keepBlocks(handle, context.thread(), fresh);
            }
            ContextBlock tools = context.tools();
            if (tools != null) {
                keepBlocks(handle, context.thread(), List.of(tools));
            }
            // A run that is tried again after a crash asks again, and what it shows now counts.
            return handle.createUpdate("""
                            insert into run_contexts (thread_id, task_id, request, agent, version, provider, model, tip,
                                tools, messages, estimated_tokens, created_at)
                            values (:thread, :task, :request, :agent, :version, :provider, :model, :tip, :tools,
                                :messages, :tokens, :now)
                            on conflict (thread_id, task_id, request) do update set
                                version = excluded.version, provider = excluded.provider, model = excluded.model,
                                tip = excluded.tip, tools = excluded.tools, messages = excluded.messages,
                                estimated_tokens = excluded.estimated_tokens, sent_hash = null, sent_bytes = null,
                                created_at = excluded.created_at""")
                    .bind("thread", context.thread().value())
                    .bind("task", context.task())
                    .bind("request", context.request())
                    .bind("agent", context.agent().value())
                    .bind("version", context.version())
                    .bind("provider", context.provider())
                    .bind("model", context.model())
                    .bind("tip", blocks.isEmpty() ? null : blocks.getLast().hash())
                    .bind("tools", tools == null ? null : tools.hash())
                    .bind("messages", blocks.size())
                    .bind("tokens", context.estimatedTokens())
                    .bind("now", now.atOffset(ZoneOffset.UTC))
                    .execute();
        });
    }

    /** Whether the beginning that is said to be known is there; empty if the thread is not. */
    private static Optional<Boolean> knownIn(Handle handle, ThreadId thread, ContextBlock.Chain chain) {
        // Whoever forgets contexts waits until this one is there as a whole. If this one had to wait, only a statement
        // that begins after that sees what is left.
        Optional<Integer> there = handle.createQuery("""
                        select 1 from threads t
                        cross join pg_advisory_xact_lock_shared(hashtextextended('contexts ' || :thread, 0))
                        where t.thread_id = :thread and t.deleted_at is null for key share of t""")
                .bind("thread", thread.value())
                .mapTo(Integer.class)
                .findOne();
        if (there.isEmpty() || chain.known() == 0) {
            return there.map(row -> false);
        }
        return Optional.of(handle.createQuery("""
                        select exists (select 1 from context_blocks where thread_id = :thread and hash = :last)""")
                .bind("thread", thread.value())
                .bind("last", chain.blocks().get(chain.known() - 1).hash())
                .mapTo(Boolean.class)
                .one());
    }

    /**
     * The commit need not be on the disk before the run goes on: the first event that anybody sees of the run is
     * committed later and waited for, and brings everything before it to the disk.
     */
    private static void doNotWait(Handle handle) {
        handle.execute("set local synchronous_commit to off");
    }

    private static void keepBlocks(Handle handle, ThreadId thread, List<ContextBlock> blocks) {
        Connection connection = handle.getConnection();
        try (PreparedStatement insert = connection.prepareStatement("""
                insert into context_blocks (thread_id, hash, previous, block)
                select * from unnest(?, ?, ?, ?::json[]) on conflict do nothing""")) {
            new SqlArrays(connection, insert)
                    .uuids(blocks, block -> thread.value())
                    .bytes(blocks, ContextBlock::hash)
                    .bytes(blocks, ContextBlock::previous)
                    .texts(blocks, ContextBlock::json);
            insert.executeUpdate();
        } catch (SQLException failed) {
            throw new IllegalStateException("A context could not be kept", failed);
        }
    }

    void sent(ThreadId thread, UUID task, int request, byte[] hash, long bytes) {
        database.transact(handle -> {
            doNotWait(handle);
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

    /** @param request which one; null for the last */
    Optional<KeptContext> find(ThreadId thread, UUID task, @Nullable Integer request) {
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

    private static KeptContext read(Handle handle, ThreadId thread, ResultSet row) throws SQLException {
        byte[] tip = row.getBytes("tip");
        byte[] tools = row.getBytes("tools");
        byte[] sent = row.getBytes("sent_hash");
        long bytes = row.getLong("sent_bytes");
        Long sentBytes = row.wasNull() ? null : bytes;
        byte[] shown = sent != null ? sent : tip != null ? tip : new byte[0];
        return new KeptContext(
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

    /** Threads with contexts that were made before a time. */
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
     * Lets go of a thread's contexts that were made before a time, and of the messages that no other one shows.
     *
     * @param time null for all
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
        int gone = FORGOTTEN_AT_ONCE;
        while (gone == FORGOTTEN_AT_ONCE) {
            gone = database.transact(handle -> {
                lock(handle, thread);
                return handle.createUpdate(sql)
                        .bind("thread", thread.value())
                        .bind("time", time)
                        .bind("limit", FORGOTTEN_AT_ONCE)
                        .execute();
            });
        }
    }

    /** Not the thread's row: whoever changes that, or refers to it, need not wait for a walk over contexts. */
    private static void lock(Handle handle, ThreadId thread) {
        handle.createQuery("select 1 from pg_advisory_xact_lock(hashtextextended('contexts ' || :thread, 0))")
                .bind("thread", thread.value())
                .mapTo(Integer.class)
                .one();
    }
}
