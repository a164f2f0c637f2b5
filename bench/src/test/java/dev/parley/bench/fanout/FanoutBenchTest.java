package dev.parley.bench.fanout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bench.Main;
import dev.parley.protocol.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class FanoutBenchTest {
    /** Small and short: whether there are figures, not which. */
    @Test
    void aShortRunGivesEveryFigure(@TempDir Path folder) {
        Path json = folder.resolve("fanout.json");
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        List<String> flags =
                List.of("--viewers 20 --threads 5 --rate 20 --spread-rate 40 --seconds 1 --rounds 1 --warm-up 0 --json"
                        .split(" "));
        List<String> command = new ArrayList<>(List.of("bench", "fanout"));
        command.addAll(flags);
        command.add(json.toString());
        assertThat(Main.run(command, new PrintStream(output, true, UTF_8))).isZero();
        assertThat(output.toString(UTF_8))
                .contains("1 thread × 20 viewers, Parley", "5 threads × 2 viewers, bare Vert.x", "skew", "net");
        JsonNode saved = Json.MAPPER.readTree(json.toFile());
        JsonNode windows = saved.path("report").path("windows");
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
        assertThat(saved.path("ratios").size()).isEqualTo(4);
        assertThat(saved.path("report").path("frameBytes").asInt()).isGreaterThan(200);
    }

    @Test
    void theLastViewerClosesAnEvent() {
        Arrivals arrivals = new Arrivals(2);
        arrivals.arrived(0, 1_000_000);
        arrivals.arrived(1, 2_000_000);
        arrivals.arrived(0, 5_000_000);
        assertThat(arrivals.takeSkew().getMaxValue()).isBetween(3_990L, 4_010L);
        arrivals.arrived(1, 2_500_000);
        assertThat(arrivals.takeSkew().getMaxValue()).isEqualTo(500);
    }
}
