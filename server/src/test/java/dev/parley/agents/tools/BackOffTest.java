package dev.parley.agents.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testkit.TestClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BackOffTest {
    private final TestClock clock = TestClock.at(Instant.parse("2026-01-01T00:00:00Z"));
    private final BackOff backOff = new BackOff(clock);

    @Test
    void oneFailureCostsNothingEachFurtherOneDoublesUpToAMinute() {
        assertThat(backOff.isOver()).isTrue();
        backOff.failed();
        assertThat(backOff.isOver()).isTrue();
        for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 60, 60, 60}) {
            backOff.failed();
            clock.advance(Duration.ofSeconds(seconds).minusMillis(1));
            assertThat(backOff.isOver()).as("before %s s", seconds).isFalse();
            clock.advance(Duration.ofMillis(1));
            assertThat(backOff.isOver()).as("after %s s", seconds).isTrue();
        }
    }

    @Test
    void aSuccessForgives() {
        backOff.failed();
        backOff.failed();
        backOff.failed();
        backOff.forgive();
        assertThat(backOff.isOver()).isTrue();
        backOff.failed();
        assertThat(backOff.isOver()).isTrue();
    }
}
