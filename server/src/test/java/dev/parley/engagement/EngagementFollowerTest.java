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
import dev.parley.log.Follower;
import dev.parley.log.Role;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.lifecycle.RunMemory;
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

/** Decisions about answers, by given facts. */
class EngagementFollowerTest {
    private static final ThreadId THREAD = ThreadId.fresh();
    private static final Actor HUMAN = Actor.user(UUID.randomUUID());
    private static final Actor ADA = Actor.agent(UUID.randomUUID());
    private static final Actor BOB = Actor.agent(UUID.randomUUID());
    private static final Actor CLEO = Actor.agent(UUID.randomUUID());

    /** A command without effects. */
    private static final Command PLAIN = command();

    private long seq;

    private static Follower.Consequences follower(
            List<Actor> recentNewestFirst, int started, EngagementFollower.AgentMember... agents) {
        return new EngagementFollower(new ThreadFactsCache(), new RunMemory())
                .over(new EngagementFollower.Surroundings(Map.of(
                        THREAD, new EngagementFollower.Surrounding(List.of(agents), recentNewestFirst, started))));
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

    private List<String> reasonsFor(Follower.Consequences follower, Actor author, Actor... mentions) {
        return reasons(follower.engage(PLAIN, entry(EntryKind.MESSAGE, author, mentions)));
    }

    private List<String> reasonsForInbound(
            Follower.Consequences follower, Actor author, @Nullable String metadata, Actor... mentions) {
        return reasons(follower.engage(PLAIN, entry(EntryKind.MESSAGE, author, metadata, mentions)));
    }

    private static List<String> reasons(List<Engagement> engaged) {
        return engaged.stream()
                .map(each -> (each.respond() ? "+" : "-") + each.reason())
                .toList();
    }

    @Test
    void peopleAreAnsweredAccordingToTheMode() {
        Follower.Consequences follower = follower(List.of(), 0, open(ADA), invoked(BOB));
        assertThat(reasonsFor(follower, HUMAN)).containsExactly("+open", "-not_mentioned");
        assertThat(reasonsFor(follower, HUMAN, BOB)).containsExactly("+open", "+mentioned");
        assertThat(reasonsFor(follower, HUMAN, ADA)).containsExactly("+mentioned", "-not_mentioned");
        assertThat(reasonsFor(follower, new Actor("slack:U1"))).containsExactly("+open", "-not_mentioned");
    }

    @Test
    void agentsAreAnsweredOnlyWhenTheyMentionAndNeverByThemselves() {
        Follower.Consequences follower = follower(List.of(HUMAN), 0, open(ADA), open(BOB), invoked(CLEO));
        assertThat(reasonsFor(follower, ADA))
                .containsExactly("-own_message", "-agent_not_mentioned", "-agent_not_mentioned");
        assertThat(reasonsFor(follower, ADA, ADA, CLEO))
                .containsExactly("-own_message", "-agent_not_mentioned", "+mentioned");
    }

    @Test
    void revisionsAndThreadsWithoutAgentsEngageNoAgent() {
        Follower.Consequences follower = follower(List.of(), 0, open(ADA));
        for (EntryKind kind : EntryKind.values()) {
            if (kind.isRevision()) {
                assertThat(follower.engage(PLAIN, entry(kind, HUMAN))).isEmpty();
            }
        }
        assertThat(new EngagementFollower(new ThreadFactsCache(), new RunMemory())
                        .over(new EngagementFollower.Surroundings(Map.of()))
                        .engage(PLAIN, entry(EntryKind.MESSAGE, HUMAN)))
                .isEmpty();
    }

    @Test
    void noAgentIsEngagedThreeHopsAfterAPerson() {
        Follower.Consequences follower = follower(List.of(), 0, open(ADA), open(BOB));
        assertThat(reasonsFor(follower, HUMAN)).containsExactly("+open", "+open");
        assertThat(reasonsFor(follower, ADA, BOB)).containsExactly("-own_message", "+mentioned");
        assertThat(reasonsFor(follower, BOB, ADA)).containsExactly("+mentioned", "-own_message");
        assertThat(reasonsFor(follower, ADA, BOB)).containsExactly("-own_message", "-hop_limit");
        assertThat(reasonsFor(follower, BOB, ADA)).containsExactly("-hop_limit", "-own_message");
        assertThat(reasonsFor(follower, HUMAN)).as("a person resets the hops").containsExactly("+open", "+open");
        assertThat(reasonsFor(follower, ADA, BOB)).containsExactly("-own_message", "+mentioned");
    }

    @Test
    void systemMessageEngagesNoAgentAndIsNoTurn() {
        Follower.Consequences follower = follower(List.of(), 0, open(ADA), open(BOB));
        assertThat(reasonsFor(follower, Actor.SYSTEM)).containsExactly("-system_message", "-system_message");
        reasonsFor(follower, HUMAN);
        reasonsFor(follower, ADA, BOB);
        reasonsFor(follower, Actor.SYSTEM);
        assertThat(reasonsFor(follower, ADA, BOB))
                .as("still the same turn")
                .containsExactly("-own_message", "+mentioned");
        reasonsFor(follower, BOB, ADA);
        reasonsFor(follower, Actor.SYSTEM);
        assertThat(reasonsFor(follower, ADA, BOB))
                .as("no reset of the hops")
                .containsExactly("-own_message", "-hop_limit");
    }

    @Test
    void inactiveAgentIsNotEngaged() {
        EngagementFollower.AgentMember off = new EngagementFollower.AgentMember(BOB, ParticipationMode.OPEN, false);
        Follower.Consequences follower = follower(List.of(), 0, open(ADA), off);
        assertThat(reasonsFor(follower, HUMAN, BOB)).containsExactly("+open", "-inactive");
        assertThat(reasonsFor(follower, ADA, BOB)).containsExactly("-own_message", "-inactive");
    }

    @Test
    void aTurnOfManyMessagesIsOneHop() {
        Follower.Consequences follower = follower(List.of(HUMAN), 0, open(ADA), open(BOB));
        for (int i = 0; i < 5; i++) {
            assertThat(reasonsFor(follower, ADA, BOB)).containsExactly("-own_message", "+mentioned");
        }
        assertThat(reasonsFor(follower, BOB, ADA)).containsExactly("+mentioned", "-own_message");
    }

    /** The decision does not depend on the cut between the read history and the batch. */
    @Test
    void batchContinuesAfterTheFacts() {
        List<Actor> history =
                List.of(HUMAN, ADA, Actor.SYSTEM, ADA, BOB, ADA, BOB, HUMAN, BOB, BOB, Actor.SYSTEM, ADA, BOB, ADA);
        List<List<String>> whole = new ArrayList<>();
        Follower.Consequences all = follower(List.of(), 0, open(ADA), open(BOB));
        history.forEach(author -> whole.add(reasonsFor(all, author, ADA, BOB)));
        for (int cut = 0; cut < history.size(); cut++) {
            int started = 0;
            for (int i = 0; i < cut; i++) {
                if (history.get(i).kind() == Actor.Kind.AGENT) {
                    started += (int) whole.get(i).stream()
                            .filter(each -> each.startsWith("+"))
                            .count();
                }
            }
            Follower.Consequences rest = follower(history.subList(0, cut).reversed(), started, open(ADA), open(BOB));
            for (int i = cut; i < history.size(); i++) {
                assertThat(reasonsFor(rest, history.get(i), ADA, BOB))
                        .as("message " + i + " after a cut at " + cut)
                        .isEqualTo(whole.get(i));
            }
        }
    }

    @Test
    void agentsStartTenAnswersAndNoMore() {
        Follower.Consequences nine = follower(List.of(HUMAN), 9, open(ADA), open(BOB), open(CLEO));
        assertThat(reasonsFor(nine, ADA, BOB, CLEO))
                .as("the tenth, and one too many")
                .containsExactly("-own_message", "+mentioned", "-agent_budget");
        assertThat(reasonsFor(nine, HUMAN)).as("people are always answered").containsExactly("+open", "+open", "+open");
        assertThat(reasonsFor(nine, ADA, BOB)).containsExactly("-own_message", "-agent_budget", "-agent_not_mentioned");
    }

    private static final Actor OLIVIA = new Actor("slack:U1");
    private static final Actor ROBOT = new Actor("slack:B1");
    private static final String BOT = "{\"sender_type\":\"bot\"}";

    @Test
    void peopleOfOtherPlatformsArePeople() {
        assertThat(reasonsForInbound(follower(List.of(), 0, open(ADA)), OLIVIA, "{\"sender_type\":\"human\"}"))
                .containsExactly("+open");
        assertThat(reasonsForInbound(follower(List.of(), 0, open(ADA)), OLIVIA, null))
                .containsExactly("+open");
    }

    @Test
    void passiveMessageIsNotAnsweredEvenWithAMention() {
        String passive = "{\"sender_type\":\"human\",\"passive\":true}";
        assertThat(reasonsForInbound(follower(List.of(), 0, open(ADA), open(BOB)), OLIVIA, passive, ADA))
                .containsExactly("-passive", "-passive");
        assertThat(reasonsForInbound(follower(List.of(), 0, open(ADA)), OLIVIA, "{\"passive\":\"true\"}"))
                .as("only the boolean true counts")
                .containsExactly("+open");
    }

    @Test
    void onlyExternalSendersCanBePassive() {
        assertThat(reasonsForInbound(follower(List.of(), 0, open(ADA)), HUMAN, "{\"passive\":true}"))
                .containsExactly("+open");
    }

    @Test
    void botsOfOtherPlatformsHopAndSpendAsAgentsDo() {
        Follower.Consequences follower = follower(List.of(), 0, open(ADA));
        assertThat(reasonsForInbound(follower, ROBOT, BOT)).containsExactly("-agent_not_mentioned");
        assertThat(reasonsForInbound(follower, ROBOT, BOT, ADA)).containsExactly("+mentioned");
        reasonsFor(follower, BOB);
        assertThat(reasonsForInbound(follower, ROBOT, BOT, ADA)).containsExactly("-hop_limit");
        reasonsFor(follower, HUMAN);
        assertThat(reasonsForInbound(follower, ROBOT, BOT, ADA)).containsExactly("+mentioned");
        assertThat(reasonsForInbound(follower(List.of(), 9, open(ADA)), ROBOT, BOT, ADA))
                .containsExactly("+mentioned");
        assertThat(reasonsForInbound(follower(List.of(), 10, open(ADA)), ROBOT, BOT, ADA))
                .containsExactly("-agent_budget");
    }

    @Test
    void messageFromTheOwnersDeviceIsAPersons() {
        String fromMe = "{\"sender_type\":\"bot\",\"is_from_me\":true}";
        assertThat(reasonsForInbound(follower(List.of(), 0, open(ADA)), ROBOT, fromMe))
                .containsExactly("+open");
    }

    private static EngagementFollower.AgentMember executed(Actor agent) {
        return new EngagementFollower.AgentMember(agent, ParticipationMode.OPEN, true, true);
    }

    /** An effect beside a command's message. */
    private record OtherEffect(boolean unanswered) implements Effect {}

    private static Command command(Effect... along) {
        List<Change> changes = new ArrayList<>();
        Arrays.stream(along).map(Change.Apply::new).forEach(changes::add);
        changes.add(new Change.Announce("x", HUMAN, "{}"));
        return new Command(UUID.randomUUID(), THREAD, HUMAN, changes);
    }

    private Entry engaged(Follower.Consequences follower, Command command, Actor... mentions) {
        Entry said = entry(EntryKind.MESSAGE, HUMAN, mentions);
        return new Entry(
                THREAD,
                said.seq(),
                said.seq(),
                Instant.EPOCH,
                Digest.ZERO,
                said.content(),
                null,
                follower.engage(command, said));
    }

    @Test
    void unansweredMessageStartsNoRun() {
        Follower.Consequences follower = follower(List.of(), 0, executed(ADA), invoked(BOB));
        Command unanswered = command(new OtherEffect(false), new OtherEffect(true));
        Entry said = engaged(follower, unanswered, BOB);
        assertThat(reasons(said.engagement())).containsExactly("-passive", "-passive");
        assertThat(follower.follow(unanswered, engaged(follower, unanswered, ADA, BOB)))
                .isEmpty();
        assertThat(follower.engage(unanswered, entry(EntryKind.EDIT, HUMAN))).isEmpty();
    }

    @Test
    void theNextCommandIsAnsweredAsUsual() {
        Follower.Consequences follower = follower(List.of(), 0, executed(ADA));
        assertThat(reasons(engaged(follower, command(new OtherEffect(true))).engagement()))
                .containsExactly("-passive");
        Command answered = command(new OtherEffect(false));
        Entry said = engaged(follower, answered);
        assertThat(reasons(said.engagement())).containsExactly("+open");
        assertThat(follower.follow(answered, said)).isNotEmpty();
    }

    @Test
    void unansweredMessageIsATurn() {
        List<Actor> afterManyHops = List.of(BOB, ADA, BOB, ADA, BOB, ADA, HUMAN);
        assertThat(reasonsFor(follower(afterManyHops, 0, open(ADA), open(BOB)), ADA, BOB))
                .noneMatch(each -> each.startsWith("+"));

        Follower.Consequences follower = follower(afterManyHops, 0, open(ADA), open(BOB));
        engaged(follower, command(new OtherEffect(true)));
        assertThat(reasonsFor(follower, ADA, BOB))
                .as("a person spoke in between")
                .containsExactly("-own_message", "+mentioned");
    }
}
