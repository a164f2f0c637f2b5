package dev.parley.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LimitsTest {
    @Test
    void withoutReplacementsTheDefaultsStay() {
        assertThat(Limits.with(Map.of())).isEqualTo(Limits.defaults());
    }

    @Test
    void onlyTheNamedLimitsAreReplaced() {
        Limits limits = Limits.with(Map.of("page", 7, "heartbeat", Duration.ofMillis(50), "tailBytes", 9L));

        assertThat(limits.page()).isEqualTo(7);
        assertThat(limits.heartbeat()).isEqualTo(Duration.ofMillis(50));
        assertThat(limits.tailBytes()).isEqualTo(9L);
        assertThat(limits.title()).isEqualTo(Limits.defaults().title());
    }

    @Test
    void unknownNamesAndOtherTypesAreRefused() {
        assertThatThrownBy(() -> Limits.with(Map.of("pages", 7)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pages");
        assertThatThrownBy(() -> Limits.with(Map.of("page", "7"))).isInstanceOf(IllegalArgumentException.class);
    }
}
