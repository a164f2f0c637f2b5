package dev.parley.delivery;

import java.time.Duration;
import java.util.Optional;

/** Reads how long somebody wants to be left alone. Dates are not read: their clocks are not ours. */
public final class RetryAfter {
    private RetryAfter() {}

    /** @param header the value of {@code Retry-After}: seconds, with or without a fraction */
    public static Optional<Duration> parse(String header) {
        String text = header.strip();
        if (!text.matches("[0-9]{1,6}(\\.[0-9]{1,9})?")) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofMillis((long) Math.ceil(Double.parseDouble(text) * 1_000)));
    }
}
