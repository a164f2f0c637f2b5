package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.threads.ReplyRule;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The times of entries that were written elsewhere before, over heads and a clock alone; and the purity of deciding.
 */
class DecisionTest {
    private static final ThreadId THREAD = ThreadId.fresh();
    private static final Actor AUTHOR = Actor.user(UUID.randomUUID());
    private static final Instant MADE = Instant.parse("2020-01-01T00:00:00Z");
    private static final Instant NOW = Instant.parse("2026-05-04T03:02:01.123456Z");
    private static final Instant THEN = Instant.parse("2024-02-29T12:00:00Z");

    private static Draft draft(@Nullable Instant saidAt) {
        EntryContent content = EntryContent.message(UuidV7.next().toString(), AUTHOR, Role.USER, "你好");
        Draft draft = Draft.of(content, null, Fingerprint.of("你好", List.of(), null, null));
        return saidAt == null ? draft : draft.saidAt(saidAt);
    }

    private static Command command(@Nullable Instant saidAt) {
        return new Command(UuidV7.next(), THREAD, AUTHOR, List.of(new Change.Append(draft(saidAt))));
    }

    private static Decision decide(@Nullable Instant... saidAt) {
        return Decision.decide(
                Map.of(THREAD, Head.empty(THREAD, MADE)),
                KnownFacts.NOTHING,
                LogFeatures.BatchFacts.NONE,
                NOW,
                Arrays.stream(saidAt).map(DecisionTest::command).toList());
    }

    private static List<Instant> times(@Nullable Instant... saidAt) {
        return decide(saidAt).drafts().stream()
                .map(each -> each.entry().createdAt())
                .toList();
    }

    @Test
    void earlierTimeIsKept() {
        assertThat(times(THEN)).containsExactly(THEN);
        assertThat(times((Instant) null)).containsExactly(NOW);
        assertThat(times(THEN, null, THEN)).as("times never run backwards").containsExactly(THEN, NOW, NOW);
    }

    @Test
    void timeNeverRunsBackwards() {
        assertThat(times(THEN, THEN.minusSeconds(1), THEN.plusSeconds(1)))
                .containsExactly(THEN, THEN, THEN.plusSeconds(1));
        assertThat(times(MADE.minusSeconds(1)))
                .as("not earlier than the thread")
                .containsExactly(MADE);
        assertThat(times(Instant.parse("0001-01-01T00:00:00Z"))).containsExactly(MADE);
    }

    @Test
    void laterTimeIsClampedToNow() {
        assertThat(times(NOW.plusNanos(1_000), NOW.plus(Duration.ofDays(1)), Instant.MAX))
                .containsExactly(NOW, NOW, NOW);
    }

    @Test
    void timesAreKeptAsFinelyAsTheDatabaseDoes() {
        assertThat(times(THEN.plusNanos(1_999))).containsExactly(THEN.plusNanos(1_000));
    }

    @Test
    void headTakesTheTimeOfItsLastEntry() {
        Head head = Objects.requireNonNull(decide(THEN).heads().get(THREAD));
        assertThat(head.lastCreatedAt()).isEqualTo(THEN);
        assertThat(head.lastSeq()).isEqualTo(1);
    }

    /** The rule counts the messages of its batch; a decision of its own counts anew. */
    @Test
    void sameCommandsAreDecidedTheSameWayAgain() {
        ReplyRule rule = new ReplyRule();
        LogFeatures.BatchFacts facts =
                new LogFeatures.BatchFacts(List.of(() -> rule.over(Set.of())), List.of(() -> DecisionTest::note));
        Command question = command(null);
        Command answer = reply(question.drafts().getFirst().content().id());
        Decision once = decide(facts, question, answer);
        assertThat(once.outcomes()).allMatch(CommandOutcome.Done.class::isInstance);
        assertThat(once.events()).as("two messages, each with its announcement").hasSize(4);
        assertThat(decide(facts, question, answer)).isEqualTo(once);
        assertThat(decide(facts, answer).outcomes())
                .as("no counts of the first decision")
                .singleElement()
                .isInstanceOf(CommandOutcome.Refused.class);
    }

    private static List<Change> note(Command command, Entry entry) {
        return List.of(new Change.Announce("noted", command.actor(), "{}"));
    }

    private static Command reply(String to) {
        EntryContent content = new EntryContent(
                UuidV7.next().toString(),
                EntryKind.MESSAGE,
                null,
                AUTHOR,
                Role.USER,
                "你好",
                null,
                List.of(),
                to,
                null,
                null,
                null);
        return Command.append(THREAD, Draft.of(content, null, Fingerprint.of("你好", List.of(), null, null)));
    }

    private static Decision decide(LogFeatures.BatchFacts facts, Command... commands) {
        return Decision.decide(
                Map.of(THREAD, Head.empty(THREAD, MADE)), KnownFacts.NOTHING, facts, NOW, List.of(commands));
    }
}
