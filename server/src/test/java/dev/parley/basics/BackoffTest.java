package dev.parley.basics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final Backoff BACKOFF = Backoff.doubling(Duration.ofMillis(500), Duration.ofSeconds(3));

    @Test
    void delayDoublesUpToTheMaximum() {
        assertThat(BACKOFF.after(1)).isEqualTo(Duration.ofMillis(500));
        assertThat(BACKOFF.after(2)).isEqualTo(Duration.ofSeconds(1));
        assertThat(BACKOFF.after(3)).isEqualTo(Duration.ofSeconds(2));
        assertThat(BACKOFF.after(4)).isEqualTo(Duration.ofSeconds(3));
        assertThat(BACKOFF.after(Integer.MAX_VALUE)).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void noFailureCountsAsOne() {
        assertThat(BACKOFF.after(0)).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void jitterSpreadsToBothSides() {
        for (int i = 0; i < 100; i++) {
            assertThat(BACKOFF.withJitter(0.25).after(4)).isBetween(Duration.ofMillis(2_250), Duration.ofMillis(3_750));
        }
    }
}
