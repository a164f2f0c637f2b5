package dev.parley.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class TestClockTest {
    @Test
    void clockMovesOnlyByHandInEitherDirectionAndInEveryZone() {
        TestClock clock = TestClock.at(Instant.EPOCH);
        Clock abroad = clock.withZone(ZoneId.of("Asia/Tokyo"));
        clock.advance(Duration.ofHours(2));
        assertThat(clock.instant()).isEqualTo(Instant.ofEpochSecond(7200));
        assertThat(abroad.instant()).isEqualTo(clock.instant());
        assertThat(abroad.getZone()).isEqualTo(ZoneId.of("Asia/Tokyo"));
        clock.advance(Duration.ofHours(-3));
        assertThat(clock.instant()).isEqualTo(Instant.ofEpochSecond(-3600));
        clock.set(Instant.ofEpochSecond(5));
        assertThat(abroad.millis()).isEqualTo(5000);
    }
}
