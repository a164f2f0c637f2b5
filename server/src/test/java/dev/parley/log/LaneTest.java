package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The lane against a real PostgreSQL, at its ordinary work. */
class LaneTest extends LaneFixture {
    @Test
    void parkedThreadsAreBoundedAndAllAreServedInTheEnd() throws Exception {
        List<ThreadId> locked = new ArrayList<>();
        for (int i = 0; i < ParkedThreads.MAX_PARKED * 3; i++) {
            locked.add(newThread());
        }
        AtomicInteger opened = new AtomicInteger();
        Lane.Connections counted = () -> {
            opened.incrementAndGet();
            return plain();
        };
        try (Lane lane = lane(counted);
                Connection holder = database.connect()) {
            holder.setAutoCommit(false);
            try (var statement = holder.createStatement()) {
                statement.execute("select 1 from thread_heads for update");
            }
            List<Attempt> waiting = new ArrayList<>();
            for (ThreadId thread : locked) {
                waiting.add(offer(lane, Command.append(thread, draft("patient", null))));
            }
            await().until(() -> opened.get() > ParkedThreads.MAX_PARKED);
            assertThat(opened.get()).isEqualTo(1 + ParkedThreads.MAX_PARKED);
            holder.rollback();
            for (Attempt attempt : waiting) {
                assertThat(attempt.await()).isInstanceOf(CommandOutcome.Done.class);
            }
        }
        assertThat(locked).allSatisfy(thread -> assertThat(contents(thread)).containsExactly("patient"));
    }

    @Test
    void lockedThreadIsParkedInOrderWhileOthersGoOn() throws Exception {
        ThreadId locked = newThread();
        ThreadId free = newThread();
        try (Lane lane = lane(this::plain);
                Connection holder = database.connect()) {
            holder.setAutoCommit(false);
            try (var statement = holder.createStatement()) {
                statement.execute("select 1 from thread_heads where thread_id = '" + locked + "' for update");
            }
            List<Attempt> waiting = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                waiting.add(offer(lane, Command.append(locked, draft("locked " + i, null))));
            }
            for (int i = 0; i < 5; i++) {
                append(lane, Command.append(free, draft("free " + i, null)));
                waiting.add(offer(lane, Command.append(locked, draft("locked " + (5 + i), null))));
            }
            assertThat(waiting).noneMatch(Attempt::settled);
            holder.rollback();
            for (Attempt attempt : waiting) {
                assertThat(attempt.await()).isInstanceOf(CommandOutcome.Done.class);
            }
        }
        assertThat(contents(locked))
                .containsExactly(
                        "locked 0",
                        "locked 1",
                        "locked 2",
                        "locked 3",
                        "locked 4",
                        "locked 5",
                        "locked 6",
                        "locked 7",
                        "locked 8",
                        "locked 9");
        assertThat(contents(free)).hasSize(5);
    }

    @Test
    void parkedCommandsAreStillWrittenWhenTheLaneCloses() throws Exception {
        ThreadId locked = newThread();
        AtomicInteger opened = new AtomicInteger();
        List<Attempt> waiting = new ArrayList<>();
        try (Connection holder = database.connect()) {
            holder.setAutoCommit(false);
            try (var statement = holder.createStatement()) {
                statement.execute("select 1 from thread_heads where thread_id = '" + locked + "' for update");
            }
            Lane lane = lane(() -> {
                opened.incrementAndGet();
                return plain();
            });
            for (int i = 0; i < 3; i++) {
                waiting.add(offer(lane, Command.append(locked, draft("locked " + i, null))));
            }
            await().until(() -> opened.get() >= 2);
            Thread release = Thread.startVirtualThread(() -> {
                await().until(() ->
                        lane.offer(attempt(Command.append(locked, draft("late", null)))) == LaneQueue.Offer.CLOSED);
                try {
                    holder.rollback();
                } catch (SQLException failed) {
                    throw new IllegalStateException(failed);
                }
            });
            lane.close();
            assertThat(waiting).allMatch(Attempt::settled);
            release.join();
        }
        assertThat(contents(locked)).startsWith("locked 0", "locked 1", "locked 2");
    }

    @Test
    void aThreadThatDoesNotExistIsRefused() {
        try (Lane lane = lane(this::plain)) {
            Attempt attempt = offer(lane, Command.append(ThreadId.fresh(), draft("hello?", null)));
            assertThat(attempt.await())
                    .isInstanceOfSatisfying(
                            CommandOutcome.Refused.class,
                            refused -> assertThat(refused.refusal().problem()).isEqualTo(Problem.THREAD_NOT_FOUND));
        }
    }

    @Test
    void fullQueueAndClosedQueueRefuse() {
        LaneQueue queue = new LaneQueue(2, 1_000);
        ThreadId thread = ThreadId.fresh();
        assertThat(queue.offer(attempt(Command.append(thread, draft("a", null)))))
                .isEqualTo(LaneQueue.Offer.TAKEN);
        assertThat(queue.offer(attempt(Command.append(thread, draft("b".repeat(700), null)))))
                .as("more bytes than the bound")
                .isEqualTo(LaneQueue.Offer.FULL);
        assertThat(queue.offer(attempt(Command.append(thread, draft("c", null)))))
                .isEqualTo(LaneQueue.Offer.TAKEN);
        assertThat(queue.offer(attempt(Command.append(thread, draft("d", null)))))
                .isEqualTo(LaneQueue.Offer.FULL);
        queue.close();
        assertThat(queue.offer(attempt(Command.append(thread, draft("e", null)))))
                .isEqualTo(LaneQueue.Offer.CLOSED);
    }

    @Test
    void batchesAreBoundedInCommandsAndBytes() throws InterruptedException {
        LaneQueue queue = new LaneQueue(100, 1_000_000);
        for (int i = 0; i < 10; i++) {
            queue.offer(attempt(Command.append(ThreadId.fresh(), draft("x".repeat(800), null))));
        }
        assertThat(queue.take(4, 1_000_000)).hasSize(4);
        assertThat(queue.take(100, 2_500)).hasSize(2);
        assertThat(queue.take(100, 10)).as("the first attempt always goes").hasSize(1);
    }

    @Test
    void queuedCommandsAreStillWrittenWhenTheLaneCloses() {
        ThreadId thread = newThread();
        List<Attempt> attempts = new ArrayList<>();
        try (Lane lane = lane(this::plain)) {
            for (int i = 0; i < 300; i++) {
                attempts.add(offer(lane, Command.append(thread, draft("message " + i, null))));
            }
        }
        assertThat(attempts).allMatch(Attempt::settled);
        assertThat(contents(thread)).hasSize(300);
    }

    @Test
    void eventsArePublishedInOrderAfterTheirCommit() {
        ThreadId thread = newThread();
        try (Lane lane = lane(this::plain)) {
            for (int i = 0; i < 50; i++) {
                append(lane, Command.append(thread, draft("message " + i, null)));
            }
        }
        await().untilAsserted(() -> assertThat(committed).hasSize(50));
        assertThat(committed).isEqualTo(conversationAfter(thread, 0, 100));
    }

    @Test
    void anAcknowledgedAppendIsOnDisk() {
        ThreadId thread = newThread();
        int notYetFlushed = 0;
        try (Lane lane = lane(this::plain)) {
            for (int i = 0; i < 30; i++) {
                append(lane, Command.append(thread, draft("message " + i, null)));
                boolean flushed = database.read(
                        handle -> handle.createQuery("select pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn()")
                                .mapTo(Boolean.class)
                                .one());
                notYetFlushed += flushed ? 0 : 1;
            }
        }
        // The server writes some log of its own now and then; a commit that does not wait would show nearly every time.
        assertThat(notYetFlushed).isLessThan(10);
    }

    @Test
    void aNeverAnalysedDatabaseIsNeverScanned() {
        ThreadId thread = newThread();
        List<Attempt> attempts = new ArrayList<>();
        try (Lane lane = lane(this::plain)) {
            for (int round = 0; round < 60; round++) {
                attempts.clear();
                for (int i = 0; i < 500; i++) {
                    attempts.add(offer(lane, Command.append(thread, draft("message " + i, "k" + round + "-" + i))));
                }
                attempts.forEach(Attempt::await);
            }
        }
        assertThat(reader.lastSeq(thread)).isEqualTo(30_000);
        List<String> scanned = database.read(
                handle -> handle.createQuery("""
                        select relname from pg_stat_user_tables
                        where relname in ('entries', 'entry_keys', 'events') and seq_tup_read > 1000""").mapTo(String.class).list());
        assertThat(scanned).isEmpty();
    }

    @Test
    void theStoredChainCanBeComputedAgainFromTheStoredEntries() {
        ThreadId thread = newThread();
        try (Lane lane = lane(this::plain)) {
            for (int i = 0; i < 20; i++) {
                append(lane, Command.append(thread, draft("message " + i + " 中文 👋", "k" + i)));
            }
        }
        Digest chain = Digest.ZERO;
        Head head = new Head(thread, 0, 0, Instant.EPOCH, chain, 0);
        for (Entry entry : reader.entriesAfter(thread, 0, 100)) {
            byte[] salt = database.read(
                    handle -> handle.createQuery("select salt from entries where thread_id = :thread and seq = :seq")
                            .bind("thread", thread.value())
                            .bind("seq", entry.seq())
                            .mapTo(byte[].class)
                            .one());
            Entry again = Entry.place(entry.content(), Digest.of(salt), head, entry.createdAt(), null);
            assertThat(again.digest()).isEqualTo(entry.digest());
            head = head.after(again);
        }
        byte[] stored = database.read(
                handle -> handle.createQuery("select head_hash from thread_heads where thread_id = :thread")
                        .bind("thread", thread.value())
                        .mapTo(byte[].class)
                        .one());
        assertThat(head.hash()).isEqualTo(Digest.of(stored));
    }
}
