package dev.parley.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class CachedReadingTest {
    private final AtomicBoolean away = new AtomicBoolean();

    private int read() {
        if (away.get()) {
            throw new IllegalStateException("The database is away");
        }
        return 7;
    }

    @Test
    void anOldReadingIsDropped() {
        CachedReading<Integer> figure = new CachedReading<>(this::read, Duration.ofMillis(1), Duration.ofSeconds(1));
        assertThat(figure.now()).hasValue(7);
        away.set(true);
        assertThat(figure.now()).as("for a moment it stands").hasValue(7);
        await().atMost(Duration.ofSeconds(20)).until(() -> figure.now().isEmpty());
        away.set(false);
        await().atMost(Duration.ofSeconds(20)).until(() -> figure.now().isPresent());
    }

    @Test
    void aMissingReadingIsNoValue() {
        away.set(true);
        assertThat(new CachedReading<>(this::read, Duration.ofMillis(1)).now()).isEmpty();
    }
}
