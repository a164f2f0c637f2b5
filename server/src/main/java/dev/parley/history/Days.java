package dev.parley.history;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;

/**
 * The days of a zone: each from its own beginning to that of the next, which are 23, 24 or 25 hours, or none where a zone
 * skipped a day. A clock that is put back over midnight does not bring the day before back.
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
