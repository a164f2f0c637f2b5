package dev.parley.bench.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bench.ShortRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class FanoutBenchTest {
    @Test
    void aShortRunGivesEveryFigure(@TempDir Path folder) {
        ShortRun run = ShortRun.of(
                folder,
                "bench fanout --viewers 20 --threads 5 --rate 20 --spread-rate 40 --seconds 1 --rounds 1 --warm-up 0");
        assertThat(run.status()).isZero();
        assertThat(run.output())
                .contains("1 thread × 20 viewers, Parley", "5 threads × 2 viewers, bare Vert.x", "skew", "net");
        JsonNode windows = run.windows();
        assertThat(windows.size()).isEqualTo(8);
        for (JsonNode window : windows) {
            assertThat(window.path("posts").asLong()).isPositive();
            if (window.path("viewed").asBoolean()) {
                assertThat(window.path("deliveries").asLong())
                        .isGreaterThan(window.path("posts").asLong());
            } else {
                assertThat(window.path("deliveries").asLong()).isZero();
            }
        }
        assertThat(run.saved().path("ratios").size()).isEqualTo(4);
        assertThat(run.saved().path("report").path("frameBytes").asInt()).isGreaterThan(200);
    }

    @Test
    void theLastViewerClosesAnEvent() {
        EventSkew arrivals = new EventSkew(2);
        arrivals.arrived(0, 1_000_000);
        arrivals.arrived(1, 2_000_000);
        arrivals.arrived(0, 5_000_000);
        assertThat(arrivals.takeSkew().getMaxValue()).isBetween(3_990L, 4_010L);
        arrivals.arrived(1, 2_500_000);
        assertThat(arrivals.takeSkew().getMaxValue()).isEqualTo(500);
    }
}
