package dev.parley.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LimitsTest {
    @Test
    void defaultsStayWithoutReplacements() {
        assertThat(Limits.with(Map.of())).isEqualTo(Limits.defaults());
    }

    @Test
    void onlyTheNamedLimitsAreReplaced() {
        Limits limits =
                Limits.with(Map.of("limit-page", 7, "limit-heartbeat", Duration.ofMillis(50), "limit-tail-bytes", 9L));

        assertThat(limits.requests().page()).isEqualTo(7);
        assertThat(limits.http().heartbeat()).isEqualTo(Duration.ofMillis(50));
        assertThat(limits.streams().tailBytes()).isEqualTo(9L);
        assertThat(limits.threads().title())
                .isEqualTo(Limits.defaults().threads().title());
    }

    @Test
    void unknownNamesAndOtherTypesAreRefused() {
        assertThatThrownBy(() -> Limits.with(Map.of("limit-pages", 7)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("limit-pages");
        assertThatThrownBy(() -> Limits.with(Map.of("limit-page", "7"))).isInstanceOf(IllegalArgumentException.class);
    }
}
