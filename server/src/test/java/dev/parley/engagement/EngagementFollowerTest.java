package dev.parley.engagement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Digest;
import dev.parley.log.Effect;
import dev.parley.log.Engagement;
import dev.parley.log.Entry;
import dev.parley.log.EntryContent;
import dev.parley.log.EntryKind;
import dev.parley.log.Head;
import dev.parley.log.Role;
import dev.parley.log.Rule;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.ParticipationMode;
import dev.parley.threads.ThreadFactsCache;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who answers, over facts alone. */
class EngagementFollowerTest {
    private static final ThreadId THREAD = ThreadId.fresh();
    private static final Actor HUMAN = Actor.user(UUID.randomUUID());
    private static final Actor ADA = Actor.agent(UUID.randomUUID());
    private static final Actor BOB = Actor.agent(UUID.randomUUID());
    private static final Actor CLEO = Actor.agent(UUID.randomUUID());

    private long seq;

    private static Rule.Judge judge(List<Actor> recentNewestFirst, int started, EngagementFollower.AgentMember... agents) {
        return new EngagementFollower(new ThreadFactsCache())
                .over(new EngagementFollower.Surroundings(
                        Map.of(THREAD, new EngagementFollower.Surrounding(List.of(agents), recentNewestFirst, started))));
    }

    private static EngagementFollower.AgentMember open(Actor agent) {
        return new EngagementFollower.AgentMember(agent, ParticipationMode.OPEN, true);
    }

    private static EngagementFollower.AgentMember invoked(Actor agent) {
        return new EngagementFollower.AgentMember(agent, ParticipationMode.INVOCATION_ONLY, true);
    }

    private Entry entry(EntryKind kind, Actor author, Actor... mentions) {
        return entry(kind, author, null, mentions);
    }

    private Entry entry(EntryKind kind, Actor author, @Nullable String metadata, Actor... mentions) {
        seq++;
        EntryContent content = new EntryContent(
                "m" + seq,
                kind,
                kind == EntryKind.MESSAGE ? null : 1L,
                author,
                author.kind() == Actor.Kind.AGENT ? Role.ASSISTANT : Role.USER,
                "text",
                metadata,
                Arrays.asList(mentions),
                null,
                null,
                null,
                null);
        return new Entry(THREAD, seq, seq, Instant.EPOCH, Digest.ZERO, content, null, List.of());
    }

    private List<String> says(Rule.Judge judge, Actor author, Actor... mentions) {
        return brings(judge, author, null, mentions);
    }

    private List<String> brings(Rule.Judge judge, Actor author, @Nullable String metadata, Actor... mentions) {
        List<String> reasons = new ArrayList<>();
        for (Engagement each : judge.engage(entry(EntryKind.MESSAGE, author, metadata, mentions))) {
            reasons.add((each.respond() ? "+" : "-") + each.reason());
        }
        return reasons;
    }

    @Test
    void peopleAreAnsweredAccordingToTheMode() {
        Rule.Judge judge = judge(List.of(), 0, open(ADA), invoked(BOB));
        assertThat(says(judge, HUMAN)).containsExactly("+open", "-not_mentioned");
        assertThat(says(judge, HUMAN, BOB)).containsExactly("+open", "+mentioned");
        assertThat(says(judge, HUMAN, ADA)).containsExactly("+mentioned", "-not_mentioned");
        assertThat(says(judge, new Actor("slack:U1"))).containsExactly("+open", "-not_mentioned");
    }

    @Test
    void agentsAreAnsweredOnlyWhenTheyMentionAndNeverByThemselves() {
        Rule.Judge judge = judge(List.of(HUMAN), 0, open(ADA), open(BOB), invoked(CLEO));
        assertThat(says(judge, ADA)).containsExactly("-own_message", "-agent_not_mentioned", "-agent_not_mentioned");
        assertThat(says(judge, ADA, ADA, CLEO)).containsExactly("-own_message", "-agent_not_mentioned", "+mentioned");
    }

    @Test
    void revisionsAndThreadsWithoutAgentsEngageNobody() {
        Rule.Judge judge = judge(List.of(), 0, open(ADA));
        for (EntryKind kind : EntryKind.values()) {
            if (kind.isRevision()) {
                assertThat(judge.engage(entry(kind, HUMAN))).isEmpty();
            }
        }
        assertThat(new EngagementFollower(new ThreadFactsCache())
                        .over(new EngagementFollower.Surroundings(Map.of()))
                        .engage(entry(EntryKind.MESSAGE, HUMAN)))
                .isEmpty();
    }

    @Test
    void threeHopsAfterAPersonNobodyIsEngaged() {
        Rule.Judge judge = judge(List.of(), 0, open(ADA), open(BOB));
        assertThat(says(judge, HUMAN)).containsExactly("+open", "+open");
        assertThat(says(judge, ADA, BOB)).containsExactly("-own_message", "+mentioned");
        assertThat(says(judge, BOB, ADA)).containsExactly("+mentioned", "-own_message");
        assertThat(says(judge, ADA, BOB)).containsExactly("-own_message", "-hop_limit");
        assertThat(says(judge, BOB, ADA)).containsExactly("-hop_limit", "-own_message");
        assertThat(says(judge, HUMAN)).as("a person starts anew").containsExactly("+open", "+open");
        assertThat(says(judge, ADA, BOB)).containsExactly("-own_message", "+mentioned");
    }

    @Test
    void whatTheSystemSaysEngagesNobodyAndIsNoTurn() {
        Rule.Judge judge = judge(List.of(), 0, open(ADA), open(BOB));
        assertThat(says(judge, Actor.SYSTEM)).containsExactly("-system_message", "-system_message");
        says(judge, HUMAN);
        says(judge, ADA, BOB);
        says(judge, Actor.SYSTEM);
        assertThat(says(judge, ADA, BOB)).as("still the same turn").containsExactly("-own_message", "+mentioned");
        says(judge, BOB, ADA);
        says(judge, Actor.SYSTEM);
        assertThat(says(judge, ADA, BOB)).as("no new beginning").containsExactly("-own_message", "-hop_limit");
    }

    @Test
    void whoIsSwitchedOffIsNotEngaged() {
        EngagementFollower.AgentMember off = new EngagementFollower.AgentMember(BOB, ParticipationMode.OPEN, false);
        Rule.Judge judge = judge(List.of(), 0, open(ADA), off);
        assertThat(says(judge, HUMAN, BOB)).containsExactly("+open", "-inactive");
        assertThat(says(judge, ADA, BOB)).containsExactly("-own_message", "-inactive");
    }

    @Test
    void aTurnOfManyMessagesIsOneHop() {
        Rule.Judge judge = judge(List.of(HUMAN), 0, open(ADA), open(BOB));
        for (int i = 0; i < 5; i++) {
            assertThat(says(judge, ADA, BOB)).containsExactly("-own_message", "+mentioned");
        }
        assertThat(says(judge, BOB, ADA)).containsExactly("+mentioned", "-own_message");
    }

    /** Wherever a history is cut into what was read and what is in the batch, the decision is the same. */
    @Test
    void theBatchGoesOnWhereTheFactsEnd() {
        List<Actor> history =
                List.of(HUMAN, ADA, Actor.SYSTEM, ADA, BOB, ADA, BOB, HUMAN, BOB, BOB, Actor.SYSTEM, ADA, BOB, ADA);
        List<List<String>> whole = new ArrayList<>();
        Rule.Judge all = judge(List.of(), 0, open(ADA), open(BOB));
        history.forEach(author -> whole.add(says(all, author, ADA, BOB)));
        for (int cut = 0; cut < history.size(); cut++) {
            int started = 0;
            for (int i = 0; i < cut; i++) {
                if (history.get(i).kind() == Actor.Kind.AGENT) {
                    started += (int) whole.get(i).stream()
                            .filter(each -> each.startsWith("+"))
                            .count();
                }
            }
            Rule.Judge rest = judge(history.subList(0, cut).reversed(), started, open(ADA), open(BOB));
            for (int i = cut; i < history.size(); i++) {
                assertThat(says(rest, history.get(i), ADA, BOB))
                        .as("message " + i + " after a cut at " + cut)
                        .isEqualTo(whole.get(i));
            }
        }
    }

    @Test
    void agentsStartTenAnswersAndNoMore() {
        Rule.Judge nine = judge(List.of(HUMAN), 9, open(ADA), open(BOB), open(CLEO));
        assertThat(says(nine, ADA, BOB, CLEO))
                .as("the tenth, and one too many")
                .containsExactly("-own_message", "+mentioned", "-agent_budget");
        assertThat(says(nine, HUMAN)).as("people are always answered").containsExactly("+open", "+open", "+open");
        assertThat(says(nine, ADA, BOB)).containsExactly("-own_message", "-agent_budget", "-agent_not_mentioned");
    }

    private static final Actor OLIVIA = new Actor("slack:U1");
    private static final Actor ROBOT = new Actor("slack:B1");
    private static final String BOT = "{\"sender_type\":\"bot\"}";

    @Test
    void peopleOfOtherPlatformsArePeople() {
        assertThat(brings(judge(List.of(), 0, open(ADA)), OLIVIA, "{\"sender_type\":\"human\"}"))
                .containsExactly("+open");
        assertThat(brings(judge(List.of(), 0, open(ADA)), OLIVIA, null)).containsExactly("+open");
    }

    @Test
    void whatIsBroughtAsPassiveIsAnsweredByNobodyEvenIfMentioned() {
        String passive = "{\"sender_type\":\"human\",\"passive\":true}";
        assertThat(brings(judge(List.of(), 0, open(ADA), open(BOB)), OLIVIA, passive, ADA))
                .containsExactly("-passive", "-passive");
        assertThat(brings(judge(List.of(), 0, open(ADA)), OLIVIA, "{\"passive\":\"true\"}"))
                .as("only the truth counts")
                .containsExactly("+open");
    }

    @Test
    void nobodyElseCanBePassive() {
        assertThat(brings(judge(List.of(), 0, open(ADA)), HUMAN, "{\"passive\":true}"))
                .containsExactly("+open");
    }

    @Test
    void botsOfOtherPlatformsHopAndSpendAsAgentsDo() {
        Rule.Judge judge = judge(List.of(), 0, open(ADA));
        assertThat(brings(judge, ROBOT, BOT)).containsExactly("-agent_not_mentioned");
        assertThat(brings(judge, ROBOT, BOT, ADA)).containsExactly("+mentioned");
        says(judge, BOB);
        assertThat(brings(judge, ROBOT, BOT, ADA)).containsExactly("-hop_limit");
        says(judge, HUMAN);
        assertThat(brings(judge, ROBOT, BOT, ADA)).containsExactly("+mentioned");
        assertThat(brings(judge(List.of(), 9, open(ADA)), ROBOT, BOT, ADA)).containsExactly("+mentioned");
        assertThat(brings(judge(List.of(), 10, open(ADA)), ROBOT, BOT, ADA)).containsExactly("-agent_budget");
    }

    @Test
    void whatABotBringsFromItsOwnersDeviceIsAPersons() {
        String fromMe = "{\"sender_type\":\"bot\",\"is_from_me\":true}";
        assertThat(brings(judge(List.of(), 0, open(ADA)), ROBOT, fromMe)).containsExactly("+open");
    }

    private static EngagementFollower.AgentMember executed(Actor agent) {
        return new EngagementFollower.AgentMember(agent, ParticipationMode.OPEN, true, true);
    }

    /** What a command does besides saying something. */
    private record Along(boolean unanswered) implements Effect {}

    private static void begin(Rule.Judge judge, Effect... along) {
        List<Change> changes = new ArrayList<>();
        Arrays.stream(along).map(Change.Apply::new).forEach(changes::add);
        changes.add(new Change.Announce("x", HUMAN, "{}"));
        assertThat(judge.judge(
                        new Command(UUID.randomUUID(), THREAD, HUMAN, changes),
                        new Head(THREAD, 0, 0, Instant.EPOCH, Digest.ZERO, 0)))
                .isEmpty();
    }

    private Entry engaged(Rule.Judge judge, Actor... mentions) {
        Entry said = entry(EntryKind.MESSAGE, HUMAN, mentions);
        return new Entry(
                THREAD, said.seq(), said.seq(), Instant.EPOCH, Digest.ZERO, said.content(), null, judge.engage(said));
    }

    @Test
    void whatNobodyShallAnswerIsAnsweredByNobodyAndStartsNothing() {
        Rule.Judge judge = judge(List.of(), 0, executed(ADA), invoked(BOB));
        begin(judge, new Along(false), new Along(true));
        assertThat(says(judge, HUMAN, BOB)).containsExactly("-passive", "-passive");
        assertThat(judge.follow(engaged(judge, ADA, BOB))).isEmpty();
        assertThat(judge.engage(entry(EntryKind.EDIT, HUMAN))).isEmpty();
    }

    @Test
    void theNextCommandIsAnsweredAsUsual() {
        Rule.Judge judge = judge(List.of(), 0, executed(ADA));
        begin(judge, new Along(true));
        assertThat(says(judge, HUMAN)).containsExactly("-passive");
        begin(judge, new Along(false));
        assertThat(says(judge, HUMAN)).containsExactly("+open");
        assertThat(judge.follow(engaged(judge))).isNotEmpty();
    }

    @Test
    void whatNobodyAnswersIsATurnAllTheSame() {
        List<Actor> afterManyHops = List.of(BOB, ADA, BOB, ADA, BOB, ADA, HUMAN);
        assertThat(says(judge(afterManyHops, 0, open(ADA), open(BOB)), ADA, BOB))
                .noneMatch(each -> each.startsWith("+"));

        Rule.Judge judge = judge(afterManyHops, 0, open(ADA), open(BOB));
        begin(judge, new Along(true));
        says(judge, HUMAN);
        begin(judge);
        assertThat(says(judge, ADA, BOB)).as("a person spoke in between").containsExactly("-own_message", "+mentioned");
    }
}
