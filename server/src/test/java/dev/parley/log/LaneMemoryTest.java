package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.storage.SqlBatch;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Batches that are decided from memory, against a real PostgreSQL. */
class LaneMemoryTest extends LaneFixture {
    /** Notes for each batch that is decided if it is decided from memory. */
    private final List<Boolean> tries = new CopyOnWriteArrayList<>();

    private final Rule<Boolean> noting = new Rule<>() {
        @Override
        public Boolean read(FactSource source, Collection<Head> heads, List<Command> commands) {
            tries.add(source.isMemory());
            return true;
        }

        @Override
        public Judge over(Boolean facts) {
            return (command, head) -> command.drafts().stream()
                            .anyMatch(draft -> draft.content().text().equals("refused"))
                    ? Optional.of(Refusal.of(Problem.FORBIDDEN, "Not this one."))
                    : Optional.empty();
        }
    };

    @Test
    void laterBatchesOfAThreadAreDecidedFromMemoryAndFollowOn() {
        ThreadId thread = newThread();
        try (Lane lane = lane(this::plain, noting)) {
            for (int i = 0; i < 5; i++) {
                CommandOutcome.Done done = append(lane, Command.append(thread, draft("message " + i, null)));
                assertThat(done.entries().getFirst().entry().seq()).isEqualTo(i + 1);
            }
        }
        assertThat(tries).containsExactly(false, true, true, true, true);
        assertThat(contents(thread)).containsExactly("message 0", "message 1", "message 2", "message 3", "message 4");
        assertThat(faults(thread)).isEmpty();
    }

    @Test
    void threadThatAnotherNodeMovesIsDecidedAnewUnderItsLock() {
        ThreadId thread = newThread();
        try (Lane here = lane(this::plain, noting);
                Lane elsewhere = lane(this::plain)) {
            append(here, Command.append(thread, draft("one", null)));
            append(elsewhere, Command.append(thread, draft("two", null)));
            append(here, Command.append(thread, draft("three", null)));
            assertThat(tries).containsExactly(false, true, false);
            append(here, Command.append(thread, draft("four", null)));
            assertThat(tries)
                    .as("a shared thread is not tried from memory again at once")
                    .endsWith(false, false);
        }
        assertThat(contents(thread)).containsExactly("one", "two", "three", "four");
        assertThat(faults(thread)).isEmpty();
    }

    @Test
    void changedFactsOfAThreadAreNoticed() {
        ThreadId thread = newThread();
        try (Lane lane = lane(this::plain, noting)) {
            append(lane, Command.append(thread, draft("one", null)));
            database.transact(handle -> handle.execute("update thread_heads set facts = facts + 1"));
            append(lane, Command.append(thread, draft("two", null)));
        }
        assertThat(tries).containsExactly(false, true, false);
        assertThat(contents(thread)).containsExactly("one", "two");
    }

    @Test
    void repeatedKeyIsOneMessageAlsoFromMemory() {
        ThreadId thread = newThread();
        try (Lane lane = lane(this::plain, noting)) {
            append(lane, Command.append(thread, draft("first", null)));
            CommandOutcome.Done once = append(lane, Command.append(thread, draft("keyed", "key")));
            CommandOutcome.Done again = append(lane, Command.append(thread, draft("keyed", "key")));
            assertThat(again.entries().getFirst().duplicate()).isTrue();
            assertThat(again.entries().getFirst().entry().seq())
                    .isEqualTo(once.entries().getFirst().entry().seq());
            assertThat(offer(lane, Command.append(thread, draft("another body", "key")))
                            .await())
                    .isInstanceOf(CommandOutcome.Refused.class);
        }
        assertThat(contents(thread)).containsExactly("first", "keyed");
    }

    @Test
    void refusalIsNeverDecidedFromMemory() {
        ThreadId thread = newThread();
        try (Lane lane = lane(this::plain, noting)) {
            append(lane, Command.append(thread, draft("one", null)));
            assertThat(offer(lane, Command.append(thread, draft("refused", null)))
                            .await())
                    .isInstanceOf(CommandOutcome.Refused.class);
            assertThat(tries).endsWith(true, false);
            append(lane, Command.append(thread, draft("two", null)));
        }
        assertThat(contents(thread)).containsExactly("one", "two");
    }

    /** The driver would end the transaction in the middle of so many statements. */
    @Test
    void batchOfManyStatementsIsDecidedUnderItsLocks() {
        ThreadId thread = newThread();
        EffectWriter<ManyStatements> writer = new EffectWriter<>() {
            @Override
            public Class<ManyStatements> type() {
                return ManyStatements.class;
            }

            @Override
            public void write(SqlBatch batch, List<ManyStatements> effects) {
                for (int i = 0; i < effects.getFirst().count(); i++) {
                    batch.add("update thread_heads set last_seq = last_seq where false", SqlBatch.Parameters.NONE);
                }
            }
        };
        LaneMeters meters = new LaneMeters(new SimpleMeterRegistry());
        LaneTransaction transaction =
                new LaneTransaction(new LogFeatures(List.of(noting), List.of(), List.of(writer)), Clock.systemUTC());
        BatchRunner runner = new BatchRunner(transaction, committed::addAll, meters);
        try (Lane lane = new Lane(0, SETTINGS, runner, this::plain, meters)) {
            append(lane, Command.append(thread, draft("one", null)));
            append(lane, withStatements(thread, 98));
            assertThat(tries).containsExactly(false, true);
            append(lane, withStatements(thread, 99));
            assertThat(tries).containsExactly(false, true, true, false);
        }
        assertThat(contents(thread)).containsExactly("one", "98", "99");
    }

    private record ManyStatements(int count) implements Effect {}

    private static Command withStatements(ThreadId thread, int count) {
        return new Command(
                UuidV7.next(),
                thread,
                AUTHOR,
                List.of(
                        new Change.Append(draft(Integer.toString(count), null)),
                        new Change.Apply(new ManyStatements(count))));
    }

    @Test
    void poisonInABatchFromMemoryHurtsOnlyItsSender() {
        ThreadId thread = newThread();
        ThreadId other = newThread();
        try (Lane lane = lane(this::plain, noting)) {
            append(lane, Command.append(thread, draft("one", null)));
            append(lane, Command.append(other, draft("one", null)));
            List<Attempt> attempts = new ArrayList<>();
            attempts.add(offer(lane, Command.append(thread, draft("two", null))));
            Attempt bad = offer(lane, Command.append(other, draft("a\u0000b", null)));
            attempts.add(offer(lane, Command.append(thread, draft("three", null))));
            attempts.forEach(attempt -> assertThat(attempt.await()).isInstanceOf(CommandOutcome.Done.class));
            assertThat(bad.settled()).isTrue();
        }
        assertThat(contents(thread)).containsExactly("one", "two", "three");
        assertThat(contents(other)).containsExactly("one");
    }

    @Test
    void batchWhoseAnswerIsLostIsCommittedOnce() {
        assertThat(contentsAfterLoss(Death.AFTER_COMMIT)).containsExactly("one", "two", "three");
    }

    @Test
    void batchThatIsLostBeforeItsCommitIsTriedAgain() {
        assertThat(contentsAfterLoss(Death.BEFORE_COMMIT)).containsExactly("one", "two", "three");
    }

    private List<String> faults(ThreadId thread) {
        List<String> faults = new ArrayList<>();
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            new ChainCheck(connection, (faulty, fault) -> faults.add(fault), checked -> {}).check(thread, thread);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
        return faults;
    }

    /** Loses the connection in the first batch from memory. */
    private List<String> contentsAfterLoss(Death death) {
        ThreadId thread = newThread();
        AtomicBoolean armed = new AtomicBoolean();
        LaneMeters meters = new LaneMeters(new SimpleMeterRegistry());
        LaneTransaction transaction =
                new LaneTransaction(new LogFeatures(List.of(noting), List.of(), List.of()), Clock.systemUTC());
        BatchRunner runner = new BatchRunner(transaction, committed::addAll, meters);
        try (Lane lane = new Lane(0, SETTINGS, runner, () -> dyingInMemoryBatch(plain(), death, armed), meters)) {
            append(lane, Command.append(thread, draft("one", null)));
            armed.set(true);
            append(lane, Command.append(thread, draft("two", null)));
            assertThat(armed).isFalse();
            append(lane, Command.append(thread, draft("three", null)));
        }
        assertThat(faults(thread)).isEmpty();
        return contents(thread);
    }

    /** A connection whose next statement with autocommit loses it, before or after the database has carried it out. */
    private static Connection dyingInMemoryBatch(Connection real, Death death, AtomicBoolean armed) {
        return (Connection) Proxy.newProxyInstance(
                LaneMemoryTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    Object result = invoke(real, method, arguments);
                    return method.getName().equals("prepareStatement") && real.getAutoCommit() && armed.get()
                            ? dying((PreparedStatement) result, real, death, armed)
                            : result;
                });
    }

    private static PreparedStatement dying(
            PreparedStatement real, Connection connection, Death death, AtomicBoolean armed) {
        return (PreparedStatement) Proxy.newProxyInstance(
                LaneMemoryTest.class.getClassLoader(),
                new Class<?>[] {PreparedStatement.class},
                (proxy, method, arguments) -> {
                    if (!method.getName().equals("execute")) {
                        return invoke(real, method, arguments);
                    }
                    armed.set(false);
                    if (death == Death.AFTER_COMMIT) {
                        real.execute();
                    }
                    connection.close();
                    throw new SQLException("the connection is gone", "08006");
                });
    }

    private static Object invoke(Object target, java.lang.reflect.Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException failed) {
            throw failed.getCause();
        }
    }
}
