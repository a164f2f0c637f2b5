package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The lane against a real PostgreSQL, with connections that die at the worst moments and commands that cannot work. */
class LaneFailureTest extends LaneFixture {
    @Test
    void aCommitWhoseAnswerIsLostIsFoundAgain() {
        ThreadId thread = newThread();
        try (Lane lane = lane(dyingOnce(Death.AFTER_COMMIT))) {
            CommandOutcome.Done done = append(lane, Command.append(thread, draft("once", "k")));
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
        assertThat(conversationAfter(thread, 0, 10)).hasSize(1);
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
                    assertThat(attempt.await()).isInstanceOf(CommandOutcome.Done.class);
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
        assertHurtsOnlyItsSender("choke", new ChokingRule(), this::plain, Problem.INTERNAL);
    }

    @Test
    void aCommandThatTakesTooLongHurtsOnlyItsSender() throws Exception {
        Lane.Connections impatient = () -> {
            Connection connection = plain();
            try (var statement = connection.createStatement()) {
                statement.execute("set statement_timeout = '100ms'");
            }
            connection.commit();
            return connection;
        };
        assertHurtsOnlyItsSender("dawdle", new DawdlingRule(), impatient, Problem.DATABASE_UNAVAILABLE);
    }

    private void assertHurtsOnlyItsSender(String bad, Rule<?> rule, Lane.Connections connections, Problem problem)
            throws Exception {
        ThreadId thread = newThread();
        CountDownLatch offered = new CountDownLatch(1);
        // The connection comes late, so that one batch holds all of them.
        Lane.Connections late = () -> {
            awaitQuietly(offered);
            return connections.open();
        };
        List<Attempt> attempts = new ArrayList<>();
        try (Lane lane = lane(late, rule)) {
            for (int i = 0; i < 10; i++) {
                attempts.add(offer(lane, Command.append(thread, draft(i == 3 ? bad : "message " + i, null))));
            }
            offered.countDown();
            for (int i = 0; i < 10; i++) {
                Attempt attempt = attempts.get(i);
                if (i == 3) {
                    assertThat(catchThrowableOfType(ProblemException.class, attempt::await)
                                    .problem())
                            .isEqualTo(problem);
                } else {
                    assertThat(attempt.await()).isInstanceOf(CommandOutcome.Done.class);
                }
            }
        }
        assertThat(contents(thread)).hasSize(9).doesNotContain(bad);
    }

    /** A rule whose query does not end for certain commands. */
    private static final class DawdlingRule implements Rule<Boolean> {
        @Override
        public Boolean read(FactSource source, Collection<Head> heads, List<Command> commands) throws SQLException {
            boolean slow = commands.stream()
                    .anyMatch(command ->
                            command.drafts().getFirst().content().text().equals("dawdle"));
            try (var statement = source.connection().createStatement()) {
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
        public String read(FactSource source, Collection<Head> heads, List<Command> commands) {
            return "choke";
        }

        @Override
        public Judge over(String bad) {
            return (command, head) -> {
                if (command.drafts().getFirst().content().text().equals(bad)) {
                    throw new IllegalStateException("the rule has a bug");
                }
                return Optional.empty();
            };
        }
    }

    /** The connection on which a parked thread waits dies in its COMMIT; the lane looks the outcome up. */
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
                assertThat(attempt.await()).isInstanceOf(CommandOutcome.Done.class);
            }
        }
        assertThat(contents(locked)).containsExactly("locked 0", "locked 1", "locked 2", "locked 3", "locked 4");
    }
}
