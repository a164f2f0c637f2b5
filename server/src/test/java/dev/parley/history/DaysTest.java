package dev.parley.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Days of zones whose clocks jump. */
class DaysTest {
    @ParameterizedTest
    @CsvSource({
        "Europe/Berlin, 2026-03-29, 23",
        "Europe/Berlin, 2026-10-25, 25",
        "Europe/Berlin, 2026-06-01, 24",
        "Pacific/Apia, 2011-12-30, 0",
        "America/Sao_Paulo, 2018-11-04, 23",
        "UTC, 2026-03-29, 24"
    })
    void daysHaveTheirRealLength(String zone, LocalDate day, long hours) {
        Days days = new Days(ZoneId.of(zone));
        assertThat(Duration.between(days.beginning(day), days.beginning(day.plusDays(1))))
                .isEqualTo(Duration.ofHours(hours));
    }

    @Test
    void skippedDayIsEmpty() {
        Days days = new Days(ZoneId.of("Pacific/Apia"));
        Instant midnight = days.beginning(LocalDate.parse("2011-12-30"));
        assertThat(days.of(midnight)).isEqualTo("2011-12-31");
        assertThat(days.of(midnight.minusNanos(1))).isEqualTo("2011-12-29");
    }

    /** The clocks went from 00:01 back to 23:01 of the day before. */
    @Test
    void begunDayIsNotReopened() {
        Days days = new Days(ZoneId.of("America/St_Johns"));
        LocalDate sunday = LocalDate.parse("2010-11-07");
        Instant midnight = days.beginning(sunday);
        for (int minute = 0; minute < 24 * 60; minute++) {
            assertThat(days.of(midnight.plus(Duration.ofMinutes(minute)))).isEqualTo(sunday);
        }
        assertThat(days.of(midnight.minusNanos(1))).isEqualTo(sunday.minusDays(1));
    }

    /** In every zone a day lasts from its beginning to the next one's. */
    @Test
    void hoursOfEveryZoneHaveTheirDay() {
        for (String id : ZoneId.getAvailableZoneIds()) {
            Days days = new Days(ZoneId.of(id));
            Instant time = Instant.parse("2011-12-01T00:30:00Z");
            for (int i = 0; i < 700; i++) {
                LocalDate day = days.of(time);
                assertThat(days.beginning(day)).as(id).isBeforeOrEqualTo(time);
                assertThat(days.beginning(day.plusDays(1))).as(id).isAfter(time);
                time = time.plus(Duration.ofHours(13));
            }
        }
    }
}
