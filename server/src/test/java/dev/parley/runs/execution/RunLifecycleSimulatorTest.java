package dev.parley.runs.execution;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.log.Command;
import dev.parley.log.Head;
import dev.parley.log.Refusal;
import dev.parley.log.Rule;
import dev.parley.log.RunFence;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.lifecycle.RunMemory;
import dev.parley.runs.lifecycle.RunRule;
import dev.parley.threads.ThreadFactsCache;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * In all interleavings of crashes, zombies, cancels and sweeps every run comes to one end, and only its holder writes.
 */
class RunLifecycleSimulatorTest {
    /** The histories that a build has time for; set the property for more. */
    private static final int HISTORIES = Integer.getInteger("parley.lives", 1_500);

    private static final int MAX_QUEUED = 4;

    private final RunRule rule = new RunRule(new ThreadFactsCache(), new RunMemory(), MAX_QUEUED);

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
    void runs_endOnce_andOnlyTheirHoldersWrite() {
        walk(HISTORIES, rule::over);
    }

    @Test
    void ruleThatTrustsOldEpochs_isFound() {
        assertFound(facts -> changed(rule.over(facts), true, null));
    }

    @Test
    void ruleThatAllowsTwoActiveRuns_isFound() {
        assertFound(facts -> changed(rule.over(facts), false, Problem.RUN_ACTIVE));
    }

    @Test
    void ruleThatTakesPostsTwice_isFound() {
        assertFound(facts -> changed(rule.over(facts), false, Problem.EVENT_GAP));
    }

    @Test
    void ruleThatTakesOutdatedEnds_isFound() {
        assertFound(facts -> changed(rule.over(facts), false, Problem.OVERLOADED));
    }

    private static void assertFound(Function<RunRule.Facts, Rule.Judge> planted) {
        assertThatThrownBy(() -> walk(1_000, planted)).hasMessageMatching("(?s)seed [0-9]+: .+");
    }

    /** A judge that honours every fence, or ignores one problem. */
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
