package dev.parley.runs.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.auth.Capability;
import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Digest;
import dev.parley.log.Head;
import dev.parley.log.Refusal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.ParticipationMode;
import dev.parley.threads.ThreadFacts;
import dev.parley.threads.ThreadFactsCache;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The rule on runs that begin with their start. */
class RunRuleTest {
    private static final ThreadId THREAD = new ThreadId(new UUID(1, 1));
    private static final Actor CALLER = Actor.user(new UUID(1, 2));
    private static final Actor AGENT = Actor.agent(new UUID(1, 3));
    private static final long READ_AT = 5;

    @Test
    void run_beginsInAThreadUnchangedSinceTheRead() {
        assertThat(judge(READ_AT, RunState.Queued.FIRST.claim(new UUID(1, 4), new UUID(1, 5))))
                .isEmpty();
    }

    /** The message may have started a run of the same agent, which the facts do not know. */
    @Test
    void runAfterAMessageOfItsBatch_waits() {
        assertThat(judge(READ_AT + 1, RunState.Queued.FIRST.claim(new UUID(1, 4), new UUID(1, 5))))
                .map(Refusal::problem)
                .contains(Problem.RUN_ACTIVE);
        assertThat(judge(READ_AT + 1, RunState.Queued.FIRST)).isEmpty();
    }

    private static Optional<Refusal> judge(long position, RunState.Unfinished state) {
        ThreadFacts.Member member = new ThreadFacts.Member(Capability.toBits(Capability.TAKE_PART), null, true, true);
        RunRule.Facts facts = new RunRule.Facts(
                RunFacts.NONE,
                Map.of(
                        THREAD,
                        new ThreadFacts(
                                false,
                                ParticipationMode.OPEN,
                                false,
                                null,
                                false,
                                Map.of(CALLER, member, AGENT, member))),
                Map.of(THREAD, READ_AT));
        RunIdentity run =
                RunIdentity.of(new UUID(1, 6), THREAD, "run", AGENT, CALLER).askedFor(MultitaskStrategy.ENQUEUE);
        RunEffect.Opened opened = new RunEffect.Opened(RunBirth.of(run), state, 0, 0, Instant.EPOCH);
        return new RunRule(new ThreadFactsCache(), new RunMemory(), 1)
                .over(facts)
                .judge(
                        new Command(
                                new UUID(1, 7),
                                THREAD,
                                CALLER,
                                List.of(new Change.Apply(opened), RunUpdate.of("run", AGENT, state))),
                        new Head(THREAD, 0, position, Instant.EPOCH, Digest.ZERO, 0));
    }
}
