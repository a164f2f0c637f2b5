package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Pauses that a platform asks for between calls for earlier messages. */
class HistoryCallsTest {
    @Test
    void pauseOfZeroSeconds_stillPausesTheNextCall() {
        HistoryCalls calls = new HistoryCalls();
        AtomicInteger count = new AtomicInteger();

        assertThatThrownBy(() -> calls.call(
                        HistoryCalls.deadlineAfter(Duration.ofMillis(500)),
                        left -> count.incrementAndGet(),
                        answer -> Duration.ZERO))
                .isInstanceOf(HistoryCalls.TimeOver.class);
        assertThat(count).hasValue(1);
    }
}
