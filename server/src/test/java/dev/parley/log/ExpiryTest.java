package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.ThreadId;
import dev.parley.threads.DeletedThreads;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Events of runs expire: they are deleted, the conversation stays, and the log knows the last deleted position. */
class ExpiryTest extends LaneFixture {
    private ThreadId history(long seed) {
        ThreadId thread = newThread();
        try (Lane lane = lane(this::plain)) {
            new RandomRuns(seed).commands(thread, 25).forEach(command -> append(lane, command));
        }
        return thread;
    }

    private List<Event> events(ThreadId thread) {
        return reader.eventsAfter(thread, 0, 10_000, Long.MAX_VALUE);
    }

    private static boolean isOf(Event event, UUID run) {
        return event instanceof Event.Emitted emitted && emitted.run().equals(run);
    }

    private static long last(List<Event> events, UUID run) {
        return events.stream()
                .filter(event -> isOf(event, run))
                .mapToLong(Event::position)
                .max()
                .orElseThrow();
    }

    @Test
    void eventsOfTheRunAreDeletedAndNoOthers() {
        ThreadId thread = history(7);
        List<Event> before = events(thread);
        long last = reader.lastPosition(thread);
        List<Long> seqs = seqs(thread, last);
        List<Event> conversation = conversationAfter(thread, 0, 10_000);
        assertThat(reader.bounds(thread).expired()).isZero();

        Compaction compaction = new Compaction(database, 10, 1_000);
        compaction.compact(thread, RandomRuns.FIRST, 1, last);
        int pieces = 0;
        for (long from = 1; from <= last; pieces++) {
            from = compaction.expire(thread, RandomRuns.FIRST, from, last) + 1;
        }

        assertThat(pieces).as("several pieces").isGreaterThan(1);
        List<Event> rest =
                before.stream().filter(event -> !isOf(event, RandomRuns.FIRST)).toList();
        assertThat(events(thread)).isEqualTo(rest).isNotEmpty();
        assertThat(conversationAfter(thread, 0, 10_000)).isEqualTo(conversation);
        assertThat(seqs(thread, last)).as("cursors stay valid").isEqualTo(seqs);
        assertThat(reader.bounds(thread).expired()).isEqualTo(last(before, RandomRuns.FIRST));
        for (long seen = 0; seen <= last; seen++) {
            long position = seen;
            assertThat(reader.eventsAfter(thread, seen, 10_000, Long.MAX_VALUE))
                    .extracting(Event::position)
                    .isEqualTo(rest.stream()
                            .map(Event::position)
                            .filter(each -> each > position)
                            .toList());
        }
    }

    private List<Long> seqs(ThreadId thread, long last) {
        return LongStream.rangeClosed(0, last)
                .map(position -> reader.seqAt(thread, position))
                .boxed()
                .toList();
    }

    @Test
    void expiredPositionOnlyGrows() {
        ThreadId thread = history(8);
        List<Event> before = events(thread);
        long last = reader.lastPosition(thread);
        Compaction compaction = new Compaction(database);
        long first = last(before, RandomRuns.FIRST);
        long second = last(before, RandomRuns.SECOND);
        assertThat(second).isLessThan(first);

        compaction.expire(thread, RandomRuns.FIRST, first + 1, last);
        assertThat(reader.bounds(thread).expired()).as("no deleted events").isZero();
        compaction.expire(thread, RandomRuns.FIRST, 1, last);
        assertThat(reader.bounds(thread).expired()).isEqualTo(first);
        compaction.expire(thread, RandomRuns.SECOND, 1, last);
        compaction.expire(thread, RandomRuns.FIRST, 1, last);
        assertThat(reader.bounds(thread).expired()).isEqualTo(first);
        assertThat(events(thread)).noneMatch(event -> event instanceof Event.Emitted);
    }

    @Test
    void deletedThreadKeepsNoExpiredPosition() {
        ThreadId thread = history(9);
        new Compaction(database).expire(thread, RandomRuns.FIRST, 1, reader.lastPosition(thread));
        assertThat(reader.bounds(thread).expired()).isPositive();
        database.transact(
                handle -> handle.execute("update threads set deleted_at = now() where thread_id = ?", thread.value()));
        try (DeletedThreads purge = new DeletedThreads(database, List.of(new LogPurger()))) {
            await().atMost(Duration.ofSeconds(30))
                    .until(() ->
                            events(thread).isEmpty() && reader.bounds(thread).expired() == 0);
        }
    }
}
