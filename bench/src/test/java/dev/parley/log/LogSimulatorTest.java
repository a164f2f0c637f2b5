package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.protocol.ThreadId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LogSimulatorTest {
    private static final int HISTORIES = 20_000;

    @Test
    void twentyThousandHistoriesKeepEveryPromise() {
        LogSimulator.Tally tally = LogSimulator.ofTheLog().walk(1, HISTORIES);
        assertThat(tally.histories()).isEqualTo(HISTORIES);
        assertThat(tally.acknowledged()).isGreaterThan(HISTORIES);
        assertThat(tally.crashes()).isGreaterThan(HISTORIES);
    }

    @Test
    void theSameSeedWalksTheSameHistory() {
        assertThat(LogSimulator.ofTheLog().walkOne(4711))
                .isEqualTo(LogSimulator.ofTheLog().walkOne(4711));
    }

    @Test
    void aDecisionThatForgetsKeysIsFound() {
        assertFound((heads, known, facts, now, commands) -> Decision.decide(
                heads,
                new KnownFacts(Map.of(), known.announcements(), known.missed(), known.uncertain()),
                facts,
                now,
                commands));
    }

    @Test
    void aDecisionThatDoesNotLookItsOwnCommitUpIsFound() {
        assertFound((heads, known, facts, now, commands) -> Decision.decide(
                heads,
                new KnownFacts(known.entries(), known.announcements(), known.missed(), Set.of()),
                facts,
                now,
                commands));
    }

    @Test
    void aDecisionThatComparesNoBodiesIsFound() {
        assertFound((heads, known, facts, now, commands) -> {
            Map<KnownFacts.ThreadKey, KnownFacts.Holder> anyBody = new HashMap<>();
            known.entries()
                    .forEach((place, holder) ->
                            anyBody.put(place, new KnownFacts.Holder(holder.entry(), null, holder.salt())));
            return Decision.decide(
                    heads,
                    new KnownFacts(anyBody, known.announcements(), known.missed(), known.uncertain()),
                    facts,
                    now,
                    commands);
        });
    }

    @Test
    void aDecisionThatDecidesEachCommandAgainstTheOldHeadIsFound() {
        assertFound((heads, known, facts, now, commands) -> {
            List<CommandOutcome> outcomes = new ArrayList<>();
            Map<ThreadId, Head> moved = new HashMap<>();
            List<Decision.NewEntry> drafts = new ArrayList<>();
            List<Event> events = new ArrayList<>();
            for (Command command : commands) {
                Decision one = Decision.decide(heads, known, facts, now, List.of(command));
                outcomes.addAll(one.outcomes());
                moved.putAll(one.heads());
                drafts.addAll(one.drafts());
                events.addAll(one.events());
            }
            return new Decision(outcomes, moved, drafts, events, List.of());
        });
    }

    @Test
    void aDecisionThatIgnoresRulesIsFound() {
        assertFound((heads, known, facts, now, commands) ->
                Decision.decide(heads, known, LogFeatures.BatchFacts.NONE, now, commands));
    }

    @Test
    void aDecisionThatTrustsTheClockIsFound() {
        assertFound((heads, known, facts, now, commands) -> {
            Map<ThreadId, Head> timeless = new HashMap<>();
            heads.forEach((thread, head) -> timeless.put(
                    thread,
                    new Head(thread, head.lastSeq(), head.lastPosition(), Instant.EPOCH, head.hash(), head.facts())));
            return Decision.decide(timeless, known, facts, now, commands);
        });
    }

    @Test
    void aDecisionThatForgetsMissedMessagesIsFound() {
        assertFound((heads, known, facts, now, commands) -> Decision.decide(
                heads,
                new KnownFacts(known.entries(), known.announcements(), Map.of(), known.uncertain()),
                facts,
                now,
                commands));
    }

    @Test
    void aDecisionThatForgetsTheOwnersOfKeysIsFound() {
        assertFound((heads, known, facts, now, commands) -> {
            List<Command> anonymous = commands.stream()
                    .map(command -> new Command(
                            command.id(),
                            command.thread(),
                            command.actor(),
                            command.changes().stream()
                                    .map(LogSimulatorTest::withoutSender)
                                    .toList()))
                    .toList();
            return Decision.decide(heads, known, facts, now, anonymous);
        });
    }

    private static Change withoutSender(Change change) {
        if (!(change instanceof Change.Append(Draft draft)) || draft.content().clientMessageId() == null) {
            return change;
        }
        return new Change.Append(draft.keyed(
                EntryKey.of("anybody", String.valueOf(draft.content().clientMessageId()))));
    }

    private static void assertFound(LogSimulator.Decider planted) {
        assertThatThrownBy(() -> new LogSimulator(planted).walk(1, 1_000))
                .isInstanceOf(LogSimulator.Violation.class)
                .hasMessageMatching("seed [0-9]+: .+");
    }
}
