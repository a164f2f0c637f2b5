package dev.parley.runs.execution;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.log.Command;
import dev.parley.log.Head;
import dev.parley.log.Refusal;
import dev.parley.log.Rule;
import dev.parley.log.RunFence;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.lifecycle.RunRule;
import dev.parley.threads.ThreadFactsCache;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** However crashes, zombies, cancels and sweeps fall together, every run comes to one end, and only its holder writes. */
class RunLifecycleSimulatorTest {
    /** As many as a build has time for; more are walked by naming their number. */
    private static final int HISTORIES = Integer.getInteger("parley.lives", 1_500);

    private static final int MAX_QUEUED = 4;

    private final RunRule rule = new RunRule(new ThreadFactsCache(), MAX_QUEUED);

    private static void walk(int histories, Function<RunRule.Facts, Rule.Judge> judges) {
        for (long seed = 1; seed <= histories; seed++) {
            try {
                new SimulatedLives(seed, judges).live();
            } catch (RuntimeException broken) {
                throw new AssertionError("seed " + seed + ": " + broken, broken);
            }
        }
    }

    @Test
    void everyRunEndsOnceAndOnlyItsHolderWrites() {
        walk(HISTORIES, rule::over);
    }

    @Test
    void aRuleThatTrustsOldEpochsIsFound() {
        assertFound(facts -> changed(rule.over(facts), true, null));
    }

    @Test
    void aRuleWithoutSlotsIsFound() {
        assertFound(facts -> changed(rule.over(facts), false, Problem.RUN_ACTIVE));
    }

    @Test
    void aRuleThatTakesPostsTwiceIsFound() {
        assertFound(facts -> changed(rule.over(facts), false, Problem.EVENT_GAP));
    }

    @Test
    void aRuleThatTakesOutdatedEndsIsFound() {
        assertFound(facts -> changed(rule.over(facts), false, Problem.OVERLOADED));
    }

    private static void assertFound(Function<RunRule.Facts, Rule.Judge> planted) {
        assertThatThrownBy(() -> walk(1_000, planted)).hasMessageMatching("(?s)seed [0-9]+: .+");
    }

    /** A judge that honours everything, or does not mind a problem. */
    private static Rule.Judge changed(Rule.Judge real, boolean trusting, @Nullable Problem ignored) {
        return new Rule.Judge() {
            @Override
            public Optional<Refusal> judge(Command command, Head head) {
                return real.judge(command, head).filter(refusal -> refusal.problem() != ignored);
            }

            @Override
            public boolean honours(RunFence fence, ThreadId thread) {
                return trusting || real.honours(fence, thread);
            }
        };
    }
}
