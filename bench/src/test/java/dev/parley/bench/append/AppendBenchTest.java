package dev.parley.bench.append;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bench.Main;
import dev.parley.protocol.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class AppendBenchTest {
    /** Small and short: whether there are figures, not which. */
    @Test
    void aShortRunGivesEveryFigure(@TempDir Path folder) {
        Path json = folder.resolve("append.json");
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        int status = Main.run(
                List.of(
                        "bench",
                        "append",
                        "--seconds",
                        "2",
                        "--writers",
                        "16",
                        "--threads",
                        "20",
                        "--rounds",
                        "1",
                        "--connections",
                        "4,8",
                        "--warm-up",
                        "0",
                        "--json",
                        json.toString()),
                new PrintStream(output, true, UTF_8));
        assertThat(status).isZero();
        assertThat(output.toString(UTF_8))
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
        JsonNode saved = Json.MAPPER.readTree(json.toFile());
        JsonNode windows = saved.path("report").path("windows");
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
        for (JsonNode ratio : saved.path("ratios")) {
            assertThat(ratio.path("median").asDouble())
                    .as(ratio.path("name").asString())
                    .isPositive();
        }
    }
}
