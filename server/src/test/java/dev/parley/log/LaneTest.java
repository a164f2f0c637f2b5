package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lane against a real PostgreSQL, with connections that die at the worst moments. */
class LaneTest {
    private static final LogSettings SETTINGS =
            new LogSettings(1, 1_000, 10_000_000, 512, 8_000_000, Duration.ofSeconds(20));
    private static final Actor AUTHOR = Actor.user(UUID.randomUUID());

    private final List<Event> committed = new CopyOnWriteArrayList<>();
    private TestDatabase scratch;
    private Database database;
    private LogReader reader;

    @BeforeEach
    void open() {
        scratch = RunningServer.freshDatabase();
        database = Database.open(RunningServer.storage(scratch.address()), 4);
        reader = new LogReader(database);
    }

    @AfterEach
    void close() {
        database.close();
        scratch.close();
    }

    /** When a connection dies. */
    private enum Death {
        AFTER_COMMIT,
        BEFORE_COMMIT
    }

    @Test
    void aCommitWhoseAnswerIsLostIsFoundAgain() {
        ThreadId thread = newThread();
        try (Lane lane = lane(dyingOnce(Death.AFTER_COMMIT))) {
            Outcome.Done done = append(lane, Command.append(thread, draft("once", "k")));
            assertThat(done.entries()).singleElement().satisfies(placed -> {
                assertThat(placed.duplicate()).isFalse();
                assertThat(placed.entry().seq()).isEqualTo(1);
            });
        }
        assertThat(contents(thread)).containsExactly("once");
    }

    @Test
    void aCommitWhoseAnswerIsLostIsFoundAgainWithoutAKey() {
        ThreadId thread = newThread();
        try (Lane lane = lane(dyingOnce(Death.AFTER_COMMIT))) {
            append(lane, Command.append(thread, draft("once", null)));
        }
        assertThat(contents(thread)).containsExactly("once");
    }

    @Test
    void anAnnouncementWhoseCommitAnswerIsLostIsFoundAgain() {
        ThreadId thread = newThread();
        Command announce = new Command(
                UuidV7.next(), thread, AUTHOR, List.of(new Change.Announce("thread_updated", AUTHOR, "{}")));
        try (Lane lane = lane(dyingOnce(Death.AFTER_COMMIT))) {
            assertThat(append(lane, announce).events()).hasSize(1);
        }
        assertThat(reader.eventsAfter(thread, 0, 10)).hasSize(1);
    }

    @Test
    void aBatchWhoseConnectionDiesBeforeCommitIsTriedAgain() {
        ThreadId thread = newThread();
        try (Lane lane = lane(dyingOnce(Death.BEFORE_COMMIT))) {
            append(lane, Command.append(thread, draft("once", "k")));
        }
        assertThat(contents(thread)).containsExactly("once");
    }

    @Test
    void aPoisonCommandHurtsOnlyItsSender() throws Exception {
        ThreadId thread = newThread();
        List<Attempt> attempts = new ArrayList<>();
        CountDownLatch offered = new CountDownLatch(1);
        // The first connection comes late, so that one batch holds everything that was offered meanwhile.
        Lane.Connections late = () -> {
            awaitQuietly(offered);
            return plain();
        };
        try (Lane lane = lane(late)) {
            for (int i = 0; i < 20; i++) {
                // PostgreSQL text cannot hold U+0000; the front doors refuse it, so only a bug brings it here.
                String content = i == 7 ? "poison\u0000" : "message " + i;
                attempts.add(offer(lane, Command.append(thread, draft(content, "k" + i))));
            }
            offered.countDown();
            for (int i = 0; i < 20; i++) {
                Attempt attempt = attempts.get(i);
                if (i == 7) {
                    ProblemException refused = catchThrowableOfType(ProblemException.class, attempt::await);
                    assertThat(refused.problem()).isEqualTo(Problem.INTERNAL);
                } else {
                    assertThat(attempt.await()).isInstanceOf(Outcome.Done.class);
                }
            }
        }
        assertThat(contents(thread))
                .containsExactlyElementsOf(IntStream.range(0, 20)
                        .filter(i -> i != 7)
                        .mapToObj(i -> "message " + i)
                        .toList());
    }

    @Test
    void aCommandThatARuleChokesOnHurtsOnlyItsSender() throws Exception {
        ThreadId thread = newThread();
        CountDownLatch offered = new CountDownLatch(1);
        Lane.Connections late = () -> {
            awaitQuietly(offered);
            return plain();
        };
        List<Attempt> attempts = new ArrayList<>();
        try (Lane lane = lane(late, new ChokingRule())) {
            for (int i = 0; i < 10; i++) {
                attempts.add(offer(lane, Command.append(thread, draft(i == 3 ? "choke" : "message " + i, null))));
            }
            offered.countDown();
            for (int i = 0; i < 10; i++) {
                Attempt attempt = attempts.get(i);
                if (i == 3) {
                    assertThat(catchThrowableOfType(ProblemException.class, attempt::await)
                                    .problem())
                            .isEqualTo(Problem.INTERNAL);
                } else {
                    assertThat(attempt.await()).isInstanceOf(Outcome.Done.class);
                }
            }
        }
        assertThat(contents(thread)).hasSize(9).doesNotContain("choke");
    }

    @Test
    void aCommandThatTakesTooLongHurtsOnlyItsSender() throws Exception {
        ThreadId thread = newThread();
        CountDownLatch offered = new CountDownLatch(1);
        Lane.Connections late = () -> {
            awaitQuietly(offered);
            Connection connection = plain();
            try (var statement = connection.createStatement()) {
                statement.execute("set statement_timeout = '100ms'");
            }
            connection.commit();
            return connection;
        };
        List<Attempt> attempts = new ArrayList<>();
        try (Lane lane = lane(late, new DawdlingRule())) {
            for (int i = 0; i < 10; i++) {
                attempts.add(offer(lane, Command.append(thread, draft(i == 3 ? "dawdle" : "message " + i, null))));
            }
            offered.countDown();
            for (int i = 0; i < 10; i++) {
                Attempt attempt = attempts.get(i);
                if (i == 3) {
                    assertThat(catchThrowableOfType(ProblemException.class, attempt::await)
                                    .problem())
                            .isEqualTo(Problem.DATABASE_UNAVAILABLE);
                } else {
                    assertThat(attempt.await()).isInstanceOf(Outcome.Done.class);
                }
            }
        }
        assertThat(contents(thread)).hasSize(9).doesNotContain("dawdle");
    }

    /** A rule whose query takes for ever about certain commands. */
    private static final class DawdlingRule implements Rule<Boolean> {
        @Override
        public Stage stage() {
            return Stage.STATE;
        }

        @Override
        public Boolean read(Connection connection, Collection<Head> heads, List<Command> commands) throws SQLException {
            boolean slow = commands.stream()
                    .anyMatch(command ->
                            command.drafts().getFirst().said().content().equals("dawdle"));
            try (var statement = connection.createStatement()) {
                return statement.execute(slow ? "select pg_sleep(60)" : "select 1");
            }
        }

        @Override
        public Judge over(Boolean facts) {
            return (command, head) -> Optional.empty();
        }
    }

    /** A rule with a bug. */
    private static final class ChokingRule implements Rule<String> {
        @Override
        public Stage stage() {
            return Stage.STATE;
        }

        @Override
        public String read(Connection connection, Collection<Head> heads, List<Command> commands) {
            return "choke";
        }

        @Override
        public Judge over(String bad) {
            return (command, head) -> {
                if (command.drafts().getFirst().said().content().equals(bad)) {
                    throw new IllegalStateException("the rule has a bug");
                }
                return Optional.empty();
            };
        }
    }

    /** The connection on which a parked thread waits dies in its COMMIT; the lane finds out what became of it. */
    @Test
    void aParkedThreadWhoseCommitAnswerIsLostIsFoundAgain() throws Exception {
        ThreadId locked = newThread();
        AtomicInteger opened = new AtomicInteger();
        // The first connection is the lane's, the second waits for the lock.
        Lane.Connections secondDies =
                () -> opened.incrementAndGet() == 2 ? dying(plain(), Death.AFTER_COMMIT) : plain();
        try (Lane lane = lane(secondDies);
                Connection holder = database.connect()) {
            holder.setAutoCommit(false);
            try (var statement = holder.createStatement()) {
                statement.execute("select 1 from thread_heads where thread_id = '" + locked + "' for update");
            }
            List<Attempt> waiting = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                waiting.add(offer(lane, Command.append(locked, draft("locked " + i, null))));
            }
            await().until(() -> opened.get() >= 2);
            holder.rollback();
            for (Attempt attempt : waiting) {
                assertThat(attempt.await()).isInstanceOf(Outcome.Done.class);
            }
        }
        assertThat(contents(locked)).containsExactly("locked 0", "locked 1", "locked 2", "locked 3", "locked 4");
    }

    @Test
    void onlySoManyThreadsArePutAsideAndAllAreServedInTheEnd() throws Exception {
        List<ThreadId> locked = new ArrayList<>();
        for (int i = 0; i < ParkedThreads.MOST * 3; i++) {
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
            await().until(() -> opened.get() > ParkedThreads.MOST);
            assertThat(opened.get()).isEqualTo(1 + ParkedThreads.MOST);
            holder.rollback();
            for (Attempt attempt : waiting) {
                assertThat(attempt.await()).isInstanceOf(Outcome.Done.class);
            }
        }
        assertThat(locked).allSatisfy(thread -> assertThat(contents(thread)).containsExactly("patient"));
    }

    @Test
    void aLockedThreadWaitsApartAndInOrderWhileOthersGoOn() throws Exception {
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
                assertThat(attempt.await()).isInstanceOf(Outcome.Done.class);
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
    void aThreadThatDoesNotExistIsRefused() {
        try (Lane lane = lane(this::plain)) {
            Attempt attempt = offer(lane, Command.append(ThreadId.fresh(), draft("hello?", null)));
            assertThat(attempt.await())
                    .isInstanceOfSatisfying(
                            Outcome.Refused.class,
                            refused -> assertThat(refused.refusal().problem()).isEqualTo(Problem.THREAD_NOT_FOUND));
        }
    }

    @Test
    void aFullQueueRefusesAndAClosedOneSaysSo() {
        LaneQueue queue = new LaneQueue(2, 1_000);
        ThreadId thread = ThreadId.fresh();
        assertThat(queue.offer(attempt(Command.append(thread, draft("a", null)))))
                .isEqualTo(LaneQueue.Offer.TAKEN);
        assertThat(queue.offer(attempt(Command.append(thread, draft("b".repeat(700), null)))))
                .as("over the bytes")
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
        assertThat(queue.take(100, 10)).as("one always goes").hasSize(1);
    }

    @Test
    void whatIsQueuedWhenTheLaneClosesIsStillWritten() {
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
    void eventsAreToldInOrderAfterTheirCommit() {
        ThreadId thread = newThread();
        try (Lane lane = lane(this::plain)) {
            for (int i = 0; i < 50; i++) {
                append(lane, Command.append(thread, draft("message " + i, null)));
            }
        }
        await().untilAsserted(() -> assertThat(committed).hasSize(50));
        assertThat(committed).isEqualTo(reader.eventsAfter(thread, 0, 100));
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
        assertThat(reader.entriesBefore(thread, Long.MAX_VALUE, 1).getFirst().seq())
                .isEqualTo(30_000);
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
            Entry again = Entry.place(
                    new Draft(entry.said(), null, Digest.ZERO, Digest.of(salt), false), head, entry.createdAt(), null);
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

    private Lane lane(Lane.Connections connections, Rule<?>... rules) {
        LaneMeters meters = new LaneMeters(new SimpleMeterRegistry());
        BatchRunner runner = new BatchRunner(
                new LaneTransaction(List.of(rules), List.of(), Clock.systemUTC()), committed::addAll, meters);
        return new Lane(0, SETTINGS, runner, connections, meters);
    }

    private Connection plain() throws SQLException {
        Connection connection = database.connect();
        LaneTransaction.prepare(connection);
        return connection;
    }

    /** The first connection dies at its first commit; the next ones are fine. */
    private Lane.Connections dyingOnce(Death death) {
        AtomicInteger opened = new AtomicInteger();
        return () -> {
            Connection real = plain();
            return opened.getAndIncrement() > 0 ? real : dying(real, death);
        };
    }

    private static Connection dying(Connection real, Death death) {
        return (Connection) Proxy.newProxyInstance(
                LaneTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("commit")) {
                        if (death == Death.AFTER_COMMIT) {
                            real.commit();
                        }
                        real.close();
                        throw new SQLException("the connection is gone", "08006");
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static Attempt offer(Lane lane, Command command) {
        Attempt attempt = attempt(command);
        assertThat(lane.offer(attempt)).isEqualTo(LaneQueue.Offer.TAKEN);
        return attempt;
    }

    private static Attempt attempt(Command command) {
        return new Attempt(command, SETTINGS.deadline());
    }

    private static Outcome.Done append(Lane lane, Command command) {
        return (Outcome.Done) offer(lane, command).await();
    }

    private static Draft draft(String content, @Nullable String key) {
        Said said = Said.message(UuidV7.next().toString(), AUTHOR, Role.USER, content);
        return Draft.of(
                said, key == null ? null : EntryKey.chat(AUTHOR, key), Fingerprint.of(content, List.of(), null, null));
    }

    private ThreadId newThread() {
        ThreadId thread = ThreadId.fresh();
        database.transact(handle -> {
            handle.execute(
                    "insert into threads (thread_id, thread_type, participation_mode, created_by, created_at)"
                            + " values (?, 'private', 'open', 'user:x', now())",
                    thread.value());
            return handle.execute(
                    "insert into thread_heads (thread_id, last_created_at, head_hash) values (?, now(), ?)",
                    thread.value(),
                    Digest.ZERO.bytes());
        });
        return thread;
    }

    private List<String> contents(ThreadId thread) {
        return reader.entriesAfter(thread, 0, 1_000).stream()
                .map(entry -> entry.said().content())
                .toList();
    }
}
