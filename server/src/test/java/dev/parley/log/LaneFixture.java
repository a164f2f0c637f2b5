package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Actor;
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
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The fixture of the lane's tests: a database of their own, connections that die on demand, and short factories. */
abstract class LaneFixture {
    static final LogSettings SETTINGS = new LogSettings(1, 5_000, 50_000_000, 512, 8_000_000, Duration.ofSeconds(30));
    static final Actor AUTHOR = Actor.user(UUID.randomUUID());

    final List<Event> committed = new CopyOnWriteArrayList<>();
    private TestDatabase scratch;
    Database database;
    LogReader reader;
    LogPages pages;

    @BeforeEach
    void open() {
        scratch = RunningServer.freshDatabase();
        database = Database.open(RunningServer.storage(scratch.address()), 4);
        reader = new LogReader(database);
        pages = new LogPages(database);
    }

    @AfterEach
    void close() {
        database.close();
        scratch.close();
    }

    /** The moment at which a connection dies. */
    enum Death {
        AFTER_COMMIT,
        BEFORE_COMMIT
    }

    /** Events of the conversation after a position. */
    List<Event> conversationAfter(ThreadId thread, long position, int limit) {
        return pages.eventsAfter(thread, position, PageSize.of(limit, Long.MAX_VALUE))
                .events();
    }

    Lane lane(Lane.Connections connections, Rule<?>... rules) {
        LaneMeters meters = new LaneMeters(new SimpleMeterRegistry());
        BatchRunner runner = new BatchRunner(
                new LaneTransaction(new LogFeatures(List.of(rules), List.of(), List.of()), Clock.systemUTC()),
                committed::addAll,
                meters);
        return new Lane(0, SETTINGS, runner, connections, meters);
    }

    Connection plain() throws SQLException {
        Connection connection = database.connect();
        LaneTransaction.prepare(connection);
        return connection;
    }

    /** Connections of which the first dies at its first commit; the next ones are fine. */
    Lane.Connections dyingOnce(Death death) {
        AtomicInteger opened = new AtomicInteger();
        return () -> {
            Connection real = plain();
            return opened.getAndIncrement() > 0 ? real : dying(real, death);
        };
    }

    static Connection dying(Connection real, Death death) {
        return (Connection) Proxy.newProxyInstance(
                LaneFixture.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
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

    static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    static Attempt offer(Lane lane, Command command) {
        Attempt attempt = attempt(command);
        assertThat(lane.offer(attempt)).isEqualTo(LaneQueue.Offer.TAKEN);
        return attempt;
    }

    static Attempt attempt(Command command) {
        return new Attempt(command, SETTINGS.deadline());
    }

    static CommandOutcome.Done append(Lane lane, Command command) {
        return (CommandOutcome.Done) offer(lane, command).await();
    }

    static Draft draft(String content, @Nullable String key) {
        EntryContent said = EntryContent.message(UuidV7.next().toString(), AUTHOR, Role.USER, content);
        return Draft.of(
                said, key == null ? null : EntryKey.chat(AUTHOR, key), Fingerprint.of(content, List.of(), null, null));
    }

    ThreadId newThread() {
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

    List<String> contents(ThreadId thread) {
        return reader.entriesAfter(thread, 0, 1_000).stream()
                .map(entry -> entry.content().text())
                .toList();
    }
}
