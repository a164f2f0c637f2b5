package dev.parley.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.auth.Capability;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Digest;
import dev.parley.log.Draft;
import dev.parley.log.EntryContent;
import dev.parley.log.EntryKind;
import dev.parley.log.Fingerprint;
import dev.parley.log.Head;
import dev.parley.log.Refusal;
import dev.parley.log.Role;
import dev.parley.log.Rule;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The checks of a thread over facts alone, and the order of several refusals. */
class ThreadRuleTest {
    private static final ThreadId THREAD = ThreadId.fresh();
    private static final Actor MANAGER = Actor.user(UUID.randomUUID());
    private static final Actor MEMBER = Actor.user(UUID.randomUUID());
    private static final Actor STRANGER = Actor.user(UUID.randomUUID());
    private static final Head HEAD = new Head(THREAD, 9, 20, Instant.EPOCH, Digest.ZERO, 0);
    private static final short ALL = Capability.toBits(EnumSet.allOf(Capability.class));
    private static final short READ = Capability.toBits(EnumSet.of(Capability.CAN_READ));

    private static final Change JOINING =
            new Change.Apply(new ThreadEffect.Joined(THREAD, List.of(new NewMemberRow(STRANGER, "A stranger", ALL))));
    private static final Change LEAVING = new Change.Apply(new ThreadEffect.Left(THREAD, MANAGER));

    private static ThreadFacts.Member member(short capabilities) {
        return new ThreadFacts.Member(capabilities, null, true, false);
    }

    private static Rule.Judge judge(boolean archived) {
        ThreadFacts thread = new ThreadFacts(
                archived,
                ParticipationMode.OPEN,
                false,
                null,
                false,
                Map.of(MANAGER, member(ALL), MEMBER, member(READ)));
        return new ThreadRule(new ThreadFactsCache(), 2).over(Map.of(THREAD, thread));
    }

    /** A message that mentions an actor outside the thread. */
    private static Change mention() {
        EntryContent content = new EntryContent(
                UuidV7.next().toString(),
                EntryKind.MESSAGE,
                null,
                MANAGER,
                Role.USER,
                "text",
                null,
                List.of(STRANGER),
                null,
                null,
                null,
                null);
        return new Change.Append(Draft.of(content, null, Fingerprint.of("text", List.of(), null, null)));
    }

    private static Command by(Actor actor, Change... changes) {
        return new Command(UuidV7.next(), THREAD, actor, List.of(changes));
    }

    private static Optional<Problem> access(Command command) {
        return judge(false).judgeAccess(command, HEAD).map(Refusal::problem);
    }

    private static Refusal refusal(boolean archived, Change... changes) {
        return judge(archived).judge(by(MANAGER, changes), HEAD).orElseThrow();
    }

    @Test
    void membershipIsJudgedBeforeTheKey() {
        assertThat(access(by(STRANGER, mention()))).contains(Problem.THREAD_NOT_FOUND);
        assertThat(access(by(MEMBER, mention()))).contains(Problem.FORBIDDEN);
        assertThat(access(by(MANAGER, mention(), JOINING, LEAVING))).isEmpty();
        assertThat(access(by(Actor.SYSTEM, mention()))).isEmpty();
    }

    @Test
    void archiveIsJudgedBeforeManagerRoomAndMentions() {
        assertThat(refusal(true, mention(), JOINING, LEAVING).problem()).isEqualTo(Problem.THREAD_ARCHIVED);
        assertThat(refusal(false, mention(), JOINING, LEAVING).problem()).isEqualTo(Problem.LAST_MANAGER);
        assertThat(refusal(false, mention(), JOINING).detail()).startsWith("participants are more than the limit of 2");
        assertThat(refusal(false, mention()).detail()).startsWith("mentions[0] must be");
        assertThat(judge(false).judge(by(MANAGER, new Change.Announce("x", MANAGER, "{}")), HEAD))
                .isEmpty();
    }
}
