package dev.parley.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitsTest {
    @ParameterizedTest
    @CsvSource({
        "500ms,PT0.5S",
        "15s,PT15S",
        "30 s,PT30S",
        "2m,PT2M",
        "1H,PT1H",
        "7d,PT168H",
        "PT15S,PT15S",
        "0s,PT0S",
        "999999999d,PT23999999976H"
    })
    void durationsAreReadWithTheirUnit(String text, Duration expected) {
        assertThat(Durations.parse(text)).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "15", "s", "-1s", "1.5s", "15 minutes", "PT-1S", "9999999999d", "1s2"})
    void otherDurationsAreNotRead(String text) {
        assertThat(Durations.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "262144,262144",
        "256KB,262144",
        "256 kb,262144",
        "256KiB,262144",
        "1MB,1048576",
        "1m,1048576",
        "2GB,2147483648",
        "7B,7",
        "0,0"
    })
    void sizesAreReadWithOrWithoutTheirUnit(String text, long expected) {
        assertThat(Sizes.parse(text)).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "KB", "-1", "1.5MB", "1TB", "9999999999GB", "99999999999"})
    void otherSizesAreNotRead(String text) {
        assertThat(Sizes.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "1023", "1KB", "1025", "16KB", "1MB", "1025KB", "64MB"})
    void sizesAreWrittenAsTheyWereRead(String text) {
        assertThat(Sizes.parse(text).map(Sizes::format)).contains(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1ms", "1500ms", "1s", "90s", "2m", "1h"})
    void durationsAreWrittenAsTheyWereRead(String text) {
        assertThat(Durations.parse(text).map(Durations::format)).contains(text);
    }
}
