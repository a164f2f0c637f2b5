package dev.parley.runs.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.AguiJson;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedStateTest {
    private static final AguiEvent NOTHING =
            AguiJson.readEvent(Json.MAPPER.readTree("{\"type\":\"STATE_DELTA\",\"delta\":[]}"), "");

    /** Each change copies the state: thousands of changes of a large state in one post would take minutes. */
    @Test
    void largeState_isChangedUpToALimit() {
        int size = 500_000;
        AtomicInteger reads = new AtomicInteger();
        SharedState state = new SharedState(() -> {
            reads.incrementAndGet();
            return Optional.of(Json.MAPPER.writeValueAsString(Collections.nCopies(size, 0)));
        });

        int changes = 0;
        while (changes <= 2 * SharedState.MAX_COPIED / size && !state.exceedsLimits(NOTHING)) {
            changes++;
        }

        assertThat((long) changes).isBetween(SharedState.MAX_COPIED / size - 1, SharedState.MAX_COPIED / size + 1);
        assertThat(reads).hasValue(1);
    }

    @Test
    void smallState_isChangedThousandsOfTimes() {
        SharedState state = new SharedState(Optional::empty);

        for (int i = 0; i < 10_000; i++) {
            assertThat(state.exceedsLimits(NOTHING)).isFalse();
            state.note(NOTHING);
        }
    }
}
