package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Entries are found by their time, at a cost that does not grow with the thread. */
class DayReaderTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private final ThreadId thread = ThreadId.fresh();
    private TestDatabase scratch;
    private Database database;
    private DayReader reader;

    @BeforeEach
    void open() {
        scratch = RunningServer.freshDatabase();
        // One connection: its statistics count only its own reads.
        database = Database.open(RunningServer.storage(scratch.address()), 1);
        reader = new DayReader(database);
    }

    @AfterEach
    void close() {
        database.close();
        scratch.close();
    }

    /** @param at the time of entry s */
    private void add(ThreadId to, String series, String kind, String role, String content, String at) {
        database.transact(handle -> handle.execute("""
                insert into entries
                    (thread_id, seq, position, id, kind, target_seq, author, role, content, created_at, digest)
                select '%s', s, s, s::text, %s, case when %s = 0 then null else 1 end, 'user:a', '%s', %s, %s, '\\x00'
                from generate_series(%s) as s
                """.formatted(to, kind, kind, role, content, at, series)));
    }

    @Test
    void theFirstEntryAtOrAfterATimeIsFoundFromAnywhere() {
        int entries = 300;
        // Stretches of seven entries at the same moment, a minute apart.
        add(
                thread,
                "1, " + entries,
                "0",
                "user",
                "'x'",
                "'2026-01-01T00:00:00Z'::timestamptz + (s / 7) * interval '1 minute'");
        for (int second = -30; second < 45 * 60; second += 90) {
            Instant time = START.plusSeconds(second);
            long expected = LongStream.rangeClosed(1, entries)
                    .filter(seq -> !START.plus(seq / 7, ChronoUnit.MINUTES).isBefore(time))
                    .findFirst()
                    .orElse(entries + 1);
            assertThat(reader.firstAt(thread, time)).as("%s", time).isEqualTo(expected);
            for (long from = expected; from <= entries; from += 1 + from / 4) {
                assertThat(reader.firstAt(thread, time, from))
                        .as("%s from %d", time, from)
                        .isEqualTo(expected);
            }
        }
        assertThat(reader.firstAt(ThreadId.fresh(), START))
                .as("a thread without entries")
                .isEqualTo(1);
    }

    @Test
    void onlyMessagesOfUsersAssistantsAndToolsAreFound() {
        add(thread, "1, 1", "0", "tool", "'x'", "now()");
        add(thread, "2, 3", "0", "system", "'x'", "now()");
        add(thread, "4, 6", "3", "user", "'x'", "now()");
        assertThat(reader.lastBefore(thread, Long.MAX_VALUE))
                .map(DayReader.Spoken::seq)
                .contains(1L);
        assertThat(reader.lastBefore(thread, 1)).isEmpty();
        assertThat(reader.lastOf(thread, 1, 6, 10)).containsExactly(1L);
    }

    @Test
    void aPageHasTheLastMessagesOfItsStretch() {
        add(thread, "1, 10", "0", "user", "'x'", "now()");
        assertThat(reader.lastOf(thread, 1, 10, 3)).containsExactly(8L, 9L, 10L);
        assertThat(reader.lastOf(thread, 4, 6, 100)).containsExactly(4L, 5L, 6L);
    }

    @Test
    void aDayOfALongThreadCostsWhatADayOfAShortOneCosts() {
        ThreadId longer = ThreadId.fresh();
        String at = "'2026-01-01T00:00:00Z'::timestamptz - (%d - s) * interval '10 minutes'";
        add(thread, "1, 1000", "0", "user", "repeat('x', 100)", at.formatted(1_000));
        add(longer, "1, 50000", "0", "user", "repeat('x', 100)", at.formatted(50_000));
        database.read(handle -> handle.execute("vacuum analyze"));
        assertThat(blocksOfADay(longer, Long.MAX_VALUE, START.minus(Duration.ofDays(1))))
                .as("the latest day")
                .isLessThanOrEqualTo(blocksOfADay(thread, Long.MAX_VALUE, START.minus(Duration.ofDays(1))) * 3 / 2);
        assertThat(blocksBefore(longer, START.minus(Duration.ofDays(25_000 / 144))))
                .as("a day in the middle")
                .isLessThanOrEqualTo(blocksBefore(thread, START.minus(Duration.ofDays(500 / 144))) * 3 / 2);
    }

    @Test
    void aDayOfTenThousandCostsWhatItsPageCosts() {
        ThreadId longer = ThreadId.fresh();
        String at = "'2026-01-01T00:00:00Z'::timestamptz - (%d - s) * interval '1 second'";
        add(thread, "1, 1000", "0", "user", "'x'", at.formatted(1_000));
        add(longer, "1, 10000", "0", "user", "'x'", at.formatted(10_000));
        database.read(handle -> handle.execute("vacuum analyze"));
        assertThat(blocksOfADay(longer, Long.MAX_VALUE, START.minus(Duration.ofDays(1))))
                .isLessThanOrEqualTo(blocksOfADay(thread, Long.MAX_VALUE, START.minus(Duration.ofDays(1))) * 3 / 2);
    }

    private long blocksBefore(ThreadId in, Instant end) {
        return blocksOf(() -> day(in, reader.firstAt(in, end), end.minus(Duration.ofDays(1))));
    }

    private long blocksOfADay(ThreadId in, long end, Instant beginning) {
        return blocksOf(() -> day(in, end, beginning));
    }

    private void day(ThreadId in, long end, Instant beginning) {
        long last = reader.lastBefore(in, end).orElseThrow().seq();
        long first = reader.firstAt(in, beginning, last);
        assertThat(reader.lastOf(in, first, last, 1_000)).hasSizeGreaterThanOrEqualTo(144);
        assertThat(reader.lastBefore(in, first - 1))
                .satisfiesAnyOf(
                        before -> assertThat(before).isPresent(),
                        before -> assertThat(first).isEqualTo(1));
    }

    private long blocksOf(Runnable reading) {
        // Plans of prepared statements change in their first executions.
        for (int i = 0; i < 12; i++) {
            reading.run();
        }
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
