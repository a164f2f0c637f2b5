package dev.parley.agents.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testkit.TestClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RetryGateTest {
    private final TestClock clock = TestClock.at(Instant.parse("2026-01-01T00:00:00Z"));
    private final RetryGate retries = new RetryGate(clock);

    @Test
    void oneFailureDelaysNothingEachFurtherOneDoublesUpToAMinute() {
        assertThat(retries.isOpen()).isTrue();
        retries.failed();
        assertThat(retries.isOpen()).isTrue();
        for (int seconds : new int[] {1, 2, 4, 8, 16, 32, 60, 60, 60}) {
            retries.failed();
            clock.advance(Duration.ofSeconds(seconds).minusMillis(1));
            assertThat(retries.isOpen()).as("before %s s", seconds).isFalse();
            clock.advance(Duration.ofMillis(1));
            assertThat(retries.isOpen()).as("after %s s", seconds).isTrue();
        }
    }

    @Test
    void successOpens() {
        retries.failed();
        retries.failed();
        retries.failed();
        retries.succeeded();
        assertThat(retries.isOpen()).isTrue();
        retries.failed();
        assertThat(retries.isOpen()).isTrue();
    }
}
