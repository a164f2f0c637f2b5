package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Digest;
import dev.parley.log.Head;
import dev.parley.log.Refusal;
import dev.parley.log.Rule;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.sessions.ChatEventFacts.EntryRef;
import dev.parley.sessions.ChatEventFacts.MessageStatus;
import dev.parley.sessions.ChatEventFacts.Name;
import dev.parley.threads.ThreadFactsCache;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * The state of a message when it was chosen must still hold when the chat event is written; else the caller reads
 * again.
 */
class ChatEventRuleTest {
    private static final ThreadId THREAD = new ThreadId(new UUID(1, 2));
    private static final Head HEAD = new Head(THREAD, 9, 20, Instant.EPOCH, Digest.ZERO, 0);

    private static ChatEventRow row(String messageId, String run) {
        return new ChatEventRow(
                UuidV7.next(),
                null,
                messageId,
                "assistant",
                new NewChatEvent.Wrapper(null, null, null, null, run, null, null, null),
                "{}",
                List.of(),
                Digest.ZERO,
                new MessageUsage(null, null, null, null, null));
    }

    /** A chat event beside an entry that was not taken, by a caller that had read up to seq 7. */
    private static ChatEventEffect beside(String messageId, long seq) {
        return new ChatEventEffect.Beside(
                THREAD, row(messageId, "r"), seq, List.of(), new ChatEventEffect.Sight(false, 7), Instant.EPOCH);
    }

    private static boolean passes(Rule.Judge judge, ChatEventEffect effect) {
        List<Change> changes =
                List.of(new Change.Announce("x", Actor.user(new UUID(3, 3)), "{}"), new Change.Apply(effect));
        Command command = new Command(UuidV7.next(), THREAD, Actor.user(new UUID(3, 3)), changes);
        Optional<Refusal> refusal = decide(judge, command);
        refusal.ifPresent(each -> assertThat(each.problem()).isEqualTo(Problem.KEY_REUSED));
        return refusal.isEmpty();
    }

    /** Judges a command as the log does: a command that is not refused counts for the next one. */
    private static Optional<Refusal> decide(Rule.Judge judge, Command command) {
        Optional<Refusal> refusal = judge.judge(command, HEAD);
        if (refusal.isEmpty()) {
            judge.count(command, List.of());
        }
        return refusal;
    }

    private static Rule.Judge judge(Set<Name> streamed, Map<EntryRef, MessageStatus> statuses) {
        return new ChatEventRule(new ThreadFactsCache())
                .over(new ChatEventRule.Facts(
                        new ChatEventFacts(Set.of(), streamed, Set.of(), statuses, Map.of()), Map.of()));
    }

    @Test
    void messageOfARunStreamedMeanwhile_isRefused() {
        Rule.Judge judge = judge(Set.of(new Name(THREAD, "r")), Map.of());
        assertThat(passes(judge, new ChatEventEffect.Brought(THREAD, row("a", "r"), "d", true)))
                .isFalse();
        assertThat(passes(judge, new ChatEventEffect.Brought(THREAD, row("a", "r"), "d", false)))
                .as("searched among the run's messages, and not found")
                .isTrue();
        assertThat(passes(judge, new ChatEventEffect.Brought(THREAD, row("b", "other"), "e", true)))
                .isTrue();
    }

    @Test
    void entryTakenByAnotherChatEvent_isRefused() {
        Rule.Judge judge = judge(Set.of(), Map.of(new EntryRef(THREAD, 3), new MessageStatus(true, 0)));
        assertThat(passes(judge, beside("a", 3))).isFalse();
        assertThat(passes(judge, beside("a", 4))).isTrue();
        assertThat(passes(judge, beside("b", 4))).as("taken in the same batch").isFalse();
        assertThat(passes(judge, beside("b", 5))).isTrue();
    }

    @Test
    void entryRevisedSince_isRefused() {
        Rule.Judge judge = judge(
                Set.of(),
                Map.of(
                        new EntryRef(THREAD, 3),
                        new MessageStatus(false, 8),
                        new EntryRef(THREAD, 4),
                        new MessageStatus(false, 7)));
        assertThat(passes(judge, beside("a", 3))).isFalse();
        assertThat(passes(judge, beside("a", 4))).isTrue();
    }

    /** Of two callers who post a run at once, neither is known when their batch is read. */
    @Test
    void runPostedByAnotherCallerInTheSameBatch_isNotJoined() {
        Rule.Judge judge = judge(Set.of(), Map.of());
        assertThat(decide(judge, posted(new UUID(3, 3), "a"))).isEmpty();
        assertThat(decide(judge, posted(new UUID(4, 4), "b")))
                .map(Refusal::problem)
                .contains(Problem.FORBIDDEN);
        assertThat(decide(judge, posted(new UUID(3, 3), "c"))).isEmpty();
    }

    private static Command posted(UUID by, String messageId) {
        ChatEventEffect effect = new ChatEventEffect.Brought(THREAD, row(messageId, "r"), "d" + messageId, false);
        return new Command(
                UuidV7.next(),
                THREAD,
                Actor.user(by),
                List.of(new Change.Announce("x", Actor.user(by), "{}"), new Change.Apply(effect)));
    }

    @Test
    void judgingChangesNothing() {
        Rule.Judge judge = judge(Set.of(), Map.of());
        Command command = posted(new UUID(3, 3), "a");
        assertThat(judge.judge(command, HEAD)).isEmpty();
        assertThat(judge.judge(command, HEAD)).isEmpty();
        judge.count(command, List.of());
        assertThat(judge.judge(command, HEAD)).map(Refusal::problem).contains(Problem.KEY_REUSED);
    }
}
