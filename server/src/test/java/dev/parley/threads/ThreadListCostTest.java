package dev.parley.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestDatabase;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A page of a long list touches as many blocks as a page of a short one. */
class ThreadListCostTest {
    private static final int PAGE = 50;
    private final Actor owner = Actor.user(UUID.randomUUID());
    private TestDatabase scratch;
    private Database database;

    @BeforeEach
    void open() {
        scratch = RunningServer.freshDatabase();
        // One connection: its statistics count only its own reads.
        database = Database.open(RunningServer.storage(scratch.address()), 1);
    }

    @AfterEach
    void close() {
        database.close();
        scratch.close();
    }

    @Test
    void pageOfALongListCostsTheSame() {
        addThreads(500);
        // PostgreSQL reads all of a short list, since that is cheaper; that would hide a cost that grows.
        database.read(handle -> handle.execute("set enable_seqscan = off"));
        long shortList = blocksOfAPage(null);
        addThreads(4_500);
        long longList = blocksOfAPage(null);
        assertThat(longList).isLessThanOrEqualTo(shortList * 3 / 2).isGreaterThanOrEqualTo(shortList / 2);
        ThreadStore.ListCursor middle = database.read(
                        handle -> ThreadStore.page(handle, owner, new ThreadStore.ListQuery(null, false, null, 2_500)))
                .getLast()
                .place();
        assertThat(blocksOfAPage(middle)).as("a page from the middle").isLessThanOrEqualTo(shortList * 3 / 2);
        database.read(handle -> handle.execute("set enable_seqscan = on"));
        assertThat(blocksOfAPage(null)).as("by the planner's own choice").isLessThanOrEqualTo(longList * 3 / 2);
    }

    @Test
    void threadsOutsideOfAListCostItNothing() {
        addThreads(5_000);
        assertThat(blocksOf(new ThreadStore.ListQuery(null, true, null, PAGE), 0))
                .as("the archived threads, of which there are none")
                .isLessThan(20);
        assertThat(blocksOf(new ThreadStore.ListQuery(null, false, "%unheard of%", PAGE), PAGE))
                .as("a search reads no more rows than its limit")
                .isLessThan(6 * PAGE);
    }

    private long blocksOf(ThreadStore.ListQuery wanted, int rows) {
        return database.read(handle -> {
            handle.execute("set enable_seqscan = off");
            ThreadStore.page(handle, owner, wanted);
            long before = blocks(handle);
            assertThat(ThreadStore.page(handle, owner, wanted)).hasSize(rows);
            return blocks(handle) - before;
        });
    }

    /** Also while the tables are so young that PostgreSQL has no statistics. */
    @Test
    void membersAreReadWithoutScanningOtherThreads() {
        fill(300);
        List<ThreadId> threads = database.read(handle -> handle.createQuery("select thread_id from threads limit 2")
                .mapTo(UUID.class)
                .map(ThreadId::new)
                .list());
        database.read(handle -> {
            handle.execute("set plan_cache_mode = force_generic_plan");
            ThreadStore.roster(handle, threads.getFirst(), owner);
            long before = blocks(handle);
            assertThat(ThreadStore.roster(handle, threads.getFirst(), owner)).hasSize(3);
            assertThat(blocks(handle) - before).isLessThan(60);
            assertThat(ThreadStore.roster(handle, threads.getFirst(), Actor.user(UUID.randomUUID())))
                    .as("for an actor who is not in the thread")
                    .isEmpty();
            handle.execute(
                    "update threads set deleted_at = now() where thread_id = ?",
                    threads.getLast().value());
            assertThat(ThreadStore.roster(handle, threads.getLast(), owner))
                    .as("of a deleted thread")
                    .isEmpty();
            return true;
        });
    }

    private void addThreads(int count) {
        fill(count);
        database.read(handle -> handle.execute("vacuum analyze"));
    }

    private void fill(int count) {
        database.transact(handle -> {
            handle.execute("""
                    insert into threads (thread_id, thread_type, title, participation_mode, created_by, created_at)
                    select gen_random_uuid(), 'private', 'a thread', 'open', 'user:x', now()
                    from generate_series(1, ?)""", count);
            handle.execute("""
                    insert into thread_heads (thread_id, last_seq, last_position, last_created_at, head_hash)
                    select thread_id, 30, 30, now(), '\\x00' from threads
                    where thread_id not in (select thread_id from thread_heads)""");
            handle.execute("""
                    insert into thread_activity (thread_id, last_seq, last_message_at, last_message_preview, updated_at)
                    select thread_id, 30, now(), 'preview', now() from threads
                    where thread_id not in (select thread_id from thread_activity)""");
            handle.execute("""
                    insert into entries (thread_id, seq, position, id, kind, author, role, content, created_at, digest)
                    select t.thread_id, s, s, s::text, 0, 'user:y', 'user', repeat('x', 200), now(), '\\x00'
                    from threads t, generate_series(1, 30) as s
                    where t.thread_id not in (select thread_id from participants)""");
            handle.execute("""
                    insert into participants (thread_id, actor, display_name, capabilities, joined_at)
                    select t.thread_id, who, 'Member', 15, now()
                    from threads t, unnest(array[?, 'user:y', 'user:z']) as who
                    where t.thread_id not in (select thread_id from participants)""", owner.value());
            handle.execute("""
                    insert into read_marks (thread_id, actor, last_read_seq)
                    select thread_id, actor, 10 from participants
                    where thread_id not in (select thread_id from read_marks)""");
            return handle.execute("""
                    insert into listings (thread_id, actor, active_at)
                    select thread_id, actor, now() - random() * interval '100 days' from participants
                    where thread_id not in (select thread_id from listings)""");
        });
    }

    /**
     * The blocks that a page reads of tables and indexes, by PostgreSQL's own count; measured twice, since the plans
     * settle first.
     */
    private long blocksOfAPage(ThreadStore.@Nullable ListCursor after) {
        return database.read(handle -> {
            list(handle, after);
            long before = blocks(handle);
            assertThat(list(handle, after)).isEqualTo(PAGE);
            return blocks(handle) - before;
        });
    }

    private int list(Handle handle, ThreadStore.@Nullable ListCursor after) {
        List<ThreadId> page =
                ThreadStore.page(handle, owner, new ThreadStore.ListQuery(after, false, null, PAGE)).stream()
                        .map(listed -> listed.place().thread())
                        .toList();
        List<ThreadSnapshot> threads = ThreadStore.find(handle, page, owner, null);
        assertThat(threads).allSatisfy(thread -> assertThat(thread.unread()).isEqualTo(20));
        return threads.size();
    }

    private static long blocks(Handle handle) {
        handle.createQuery("select 1 from (select pg_stat_force_next_flush()) as flushed")
                .mapTo(Integer.class)
                .one();
        return handle.createQuery("""
                        select sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0))
                        from pg_statio_user_tables""").mapTo(Long.class).one();
    }
}
