package dev.parley.bench.append;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bench.ShortRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class AppendBenchTest {
    @Test
    void aShortRunGivesEveryFigure(@TempDir Path folder) {
        ShortRun run = ShortRun.of(
                folder, "bench append --seconds 2 --writers 16 --threads 20 --rounds 1 --connections 4,8 --warm-up 0");
        assertThat(run.status()).isZero();
        assertThat(run.output())
                .contains(
                        "HTTP, even",
                        "HTTP, one hot thread",
                        "bare inserts, 4 connections",
                        "bare inserts, 8 connections",
                        "transaction per message, 4 connections",
                        "HTTP, even / bare inserts, 8 connections",
                        "HTTP, one hot thread / HTTP, even",
                        "fdatasync p50",
                        "CPU per message");
        JsonNode windows = run.windows();
        assertThat(windows.size()).isGreaterThanOrEqualTo(5);
        for (JsonNode window : windows) {
            String scenario = window.path("scenario").asString();
            assertThat(window.path("messages").asLong()).as(scenario).isPositive();
            assertThat(window.path("failures").asLong()).as(scenario).isZero();
            assertThat(window.path("postgresMicros").asDouble()).as(scenario).isPositive();
            assertThat(window.path("flush").path("p50Micros").asLong())
                    .as(scenario)
                    .isPositive();
        }
        assertThat(windows.get(0).path("serverMicros").asDouble()).isPositive();
        for (JsonNode ratio : run.saved().path("ratios")) {
            assertThat(ratio.path("median").asDouble())
                    .as(ratio.path("name").asString())
                    .isPositive();
        }
    }
}
