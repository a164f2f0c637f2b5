package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Removed reactions and replaced edits of a message cost its readers nothing. */
class RevisionCostTest {
    private static final PageSize ALL = PageSize.of(1_000, Long.MAX_VALUE);

    private final ThreadId thread = ThreadId.fresh();
    private TestDatabase scratch;
    private Database database;
    private RevisionReader reader;
    private LogPages pages;

    @BeforeEach
    void open() {
        scratch = RunningServer.freshDatabase();
        // One connection: its statistics count only its own reads.
        database = Database.open(RunningServer.storage(scratch.address()), 1);
        reader = new RevisionReader(database);
        pages = new LogPages(database);
        // Two messages; then four people who react with three emojis and take it back, and edits in between.
        add("generate_series(1, 2) as s", "0", "null", "'user:a'", "'hello'");
        add(
                "generate_series(3, 20002) as s",
                "case when s % 10 = 0 then 1 else 3 + s / 12 % 2 end",
                "1 + s % 2",
                "'user:' || s % 4",
                "case when s % 10 = 0 then 'edited ' || s else 'e' || s % 3 end");
        database.read(handle -> handle.execute("vacuum analyze"));
    }

    private void add(String from, String kind, String target, String author, String content) {
        database.transact(handle -> handle.execute("""
                insert into entries
                    (thread_id, seq, position, id, kind, target_seq, author, role, content, created_at, digest)
                select '%s', s, s, s::text, %s, %s, %s, 'user', %s, now(), '\\x00' from %s
                """.formatted(thread, kind, target, author, content, from)));
    }

    @AfterEach
    void close() {
        database.close();
        scratch.close();
    }

    @Test
    void countingRevisionsAreFoundWithoutTheOthers() {
        assertThat(revisionsOf(List.of(1L, 2L)).values())
                .allSatisfy(revisions -> assertThat(revisions).hasSizeLessThanOrEqualTo(4 * 3 + 1));
        assertThat(blocksOf(() -> revisionsOf(List.of(1L, 2L)))).isLessThan(400);
    }

    @Test
    void pageWithoutRevisionsCostsTwoProbes() {
        add("generate_series(20003, 20052) as s", "0", "null", "'user:a'", "'hello'");
        List<Long> page = LongStream.rangeClosed(20_003, 20_052).boxed().toList();
        assertThat(revisionsOf(page)).isEmpty();
        assertThat(blocksOf(() -> revisionsOf(page))).isLessThan(20);
        add("generate_series(20053, 20053) as s", "3", "20030", "'user:b'", "'e1'");
        assertThat(revisionsOf(page)).containsOnlyKeys(20_030L);
        add("generate_series(20054, 20054) as s", "1", "20052", "'user:a'", "'hello again'");
        assertThat(revisionsOf(page)).containsOnlyKeys(20_030L, 20_052L);
    }

    @Test
    void messagesAfterManyRevisionsAreFoundInTheIndex() {
        assertThat(lastMessage()).hasSize(1);
        long table = database.read(
                handle -> handle.createQuery("""
                        select pg_relation_size('entries') / current_setting('block_size')::int""").mapTo(Long.class).one());
        assertThat(blocksOf(this::lastMessage))
                .as("of " + table + " blocks of the table alone")
                .isLessThan(table);
    }

    private Map<Long, List<Entry>> revisionsOf(List<Long> seqs) {
        return reader.revisionsOf(thread, seqs, Direction.BACKWARDS, ALL).bySeq();
    }

    private List<Entry> lastMessage() {
        return pages.messages(thread, Direction.BACKWARDS, Long.MAX_VALUE, PageSize.of(1, Long.MAX_VALUE))
                .entries();
    }

    private long blocksOf(Runnable reading) {
        long before = blocks();
        reading.run();
        return blocks() - before;
    }

    private long blocks() {
        return database.read(handle -> {
            handle.createQuery("select 1 from (select pg_stat_force_next_flush()) as flushed")
                    .mapTo(Integer.class)
                    .one();
            return handle.createQuery("""
                            select sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0))
                            from pg_statio_user_tables""").mapTo(Long.class).one();
        });
    }
}
