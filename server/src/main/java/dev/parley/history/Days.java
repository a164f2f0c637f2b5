package dev.parley.history;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

/**
 * The days of a time zone. Each day lasts until the beginning of the next day: 23, 24 or 25 hours, or zero hours if the
 * zone skipped the day. A clock that is set back over midnight does not reopen the previous day.
 */
record Days(ZoneId zone) {
    Instant beginning(LocalDate day) {
        return day.atStartOfDay(zone).toInstant();
    }

    LocalDate of(Instant time) {
        LocalDate day = LocalDate.ofInstant(time, zone);
        while (!beginning(day.plusDays(1)).isAfter(time)) {
            day = day.plusDays(1);
        }
        while (beginning(day).isAfter(time)) {
            day = day.minusDays(1);
        }
        return day;
    }
}
