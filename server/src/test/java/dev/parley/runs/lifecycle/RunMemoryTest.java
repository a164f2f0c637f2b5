package dev.parley.runs.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.log.Digest;
import dev.parley.log.Effect;
import dev.parley.log.FactSource;
import dev.parley.log.Head;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestDatabase;
import dev.parley.threads.ThreadEffect;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The memory of runs holds exactly what the database would return, or nothing. */
class RunMemoryTest {
    private static final ThreadId THREAD = new ThreadId(new UUID(1, 1));
    private static final Actor AGENT = Actor.agent(new UUID(1, 2));
    private static final Actor CALLER = Actor.user(new UUID(1, 3));
    private static final UUID TASK = new UUID(1, 6);
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @AutoClose
    private final TestDatabase database = RunningServer.freshDatabase();

    private final RunMemory memory = new RunMemory();

    private static Head head(long position, long facts) {
        return new Head(THREAD, 0, position, NOW, Digest.ZERO, facts);
    }

    private static RunEffect.Opened opened(UUID task, MultitaskStrategy strategy) {
        RunIdentity run =
                RunIdentity.of(task, THREAD, "run " + task, AGENT, CALLER).askedFor(strategy);
        return new RunEffect.Opened(RunBirth.of(run), running(), 4, 2, NOW);
    }

    private static RunState.Running running() {
        return RunState.Queued.FIRST.claim(new UUID(1, 4), new UUID(1, 5));
    }

    private void remember(Head before, Head after, Effect... effects) {
        memory.remember(Map.of(THREAD, before), Map.of(THREAD, after), List.of(effects));
    }

    /** Reads the thread's runs under a head at which there are none. */
    @BeforeEach
    void readAnEmptyThread() throws SQLException {
        try (Connection connection = database.address().connect()) {
            assertThat(memory.unfinished(FactSource.of(connection), List.of(head(4, 1)), List.of(THREAD)))
                    .isEqualTo(Map.of(THREAD, List.of()));
        }
    }

    @Test
    void openedRun_isRememberedUnderTheNextHeadAlone() throws SQLException {
        remember(head(4, 1), head(6, 1), opened(TASK, MultitaskStrategy.ENQUEUE));

        assertThat(memory.find(head(6, 1), TASK)).hasValueSatisfying(run -> {
            assertThat(run.state()).isEqualTo(running());
            assertThat(run.positions().created()).isEqualTo(4);
            assertThat(run.positions().first()).isEqualTo(5);
            assertThat(run.times().created()).isEqualTo(NOW);
        });
        assertThat(memory.isNewest(head(6, 1), TASK)).isTrue();
        assertThat(memory.find(head(7, 1), TASK))
                .as("another node moved the head")
                .isEmpty();
        assertThat(memory.find(head(6, 2), TASK))
                .as("another node took the run over")
                .isEmpty();
        assertThat(memory.isNewest(head(7, 1), TASK)).isFalse();
    }

    @Test
    void movedRun_hasItsNewStateOrIsGone() {
        remember(head(4, 1), head(6, 1), opened(TASK, MultitaskStrategy.ENQUEUE));
        Run run = memory.find(head(6, 1), TASK).orElseThrow();
        RunState.Running other = running().takeOver(new UUID(1, 8), new UUID(1, 9));
        remember(head(6, 1), head(6, 2), RunEffect.Moved.toHolder(run, other, Intention.CANCEL));

        assertThat(memory.find(head(6, 2), TASK)).hasValueSatisfying(moved -> {
            assertThat(moved.state()).isEqualTo(other);
            assertThat(moved.ending()).isEqualTo(Intention.CANCEL.wire());
        });

        remember(
                head(6, 2),
                head(9, 2),
                RunEffect.Moved.toEnd(run, other.end(RunState.Ending.COMPLETED), Run.Result.NONE));
        assertThat(memory.find(head(9, 2), TASK)).isEmpty();
        assertThat(memory.isNewest(head(9, 2), TASK)).isTrue();
    }

    @Test
    void takeover_isToldToOtherNodesByTheFacts() {
        Run run = opened(TASK, MultitaskStrategy.ENQUEUE).toRun();

        assertThat(RunEffect.Moved.toHolder(run, running().takeOver(null, new UUID(1, 9)), null)
                        .changesFacts())
                .isTrue();
        assertThat(RunEffect.Moved.to(run, running()).changesFacts()).isFalse();
        assertThat(new RunEffect.Fed(THREAD, TASK, 0, 1, true).changesFacts()).isTrue();
        assertThat(new RunEffect.Fed(THREAD, TASK, 0, 1, false).changesFacts()).isFalse();
    }

    @Test
    void joinedAndFedRun_areCarriedOn() {
        remember(head(4, 1), head(6, 1), opened(TASK, MultitaskStrategy.ENQUEUE));
        remember(
                head(6, 1),
                head(8, 1),
                new RunEffect.Joined(THREAD, TASK, 3),
                new RunEffect.Fed(THREAD, TASK, 0, 7, false));

        assertThat(memory.find(head(8, 1), TASK)).hasValueSatisfying(run -> {
            assertThat(run.triggers()).containsExactly(3L);
            assertThat(run.nextEvent()).isEqualTo(7);
        });
    }

    @Test
    void threadWithADisplacingRunOrADeletedOne_isForgotten() {
        remember(head(4, 1), head(6, 1), opened(TASK, MultitaskStrategy.INTERRUPT));
        assertThat(memory.find(head(6, 1), TASK)).isEmpty();
        assertUnknown(head(6, 1));
    }

    @Test
    void deletedThread_isForgotten() {
        remember(head(4, 1), head(6, 2), new ThreadEffect.Deleted(THREAD));
        assertUnknown(head(6, 2));
    }

    @Test
    void batchOverAnotherHead_forgetsTheThread() {
        remember(head(5, 1), head(6, 1), opened(TASK, MultitaskStrategy.ENQUEUE));
        assertUnknown(head(6, 1));
    }

    private void assertUnknown(Head head) {
        assertThatThrownBy(() -> memory.unfinished(FactSource.of(closed()), List.of(head), List.of(THREAD)))
                .isInstanceOf(SQLException.class);
    }

    /** A connection that cannot be read from: what is asked of it is not remembered. */
    private Connection closed() throws SQLException {
        Connection connection = database.address().connect();
        connection.close();
        return connection;
    }
}
