package dev.parley.bench.runs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bench.Main;
import dev.parley.bench.rig.CpuUse;
import dev.parley.bench.rig.DiskProbe;
import dev.parley.bench.rig.Latencies;
import dev.parley.protocol.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class RunsBenchTest {
    /** Small and short: whether there are figures, not which. */
    @Test
    void aShortRunGivesEveryFigure(@TempDir Path folder) {
        Path json = folder.resolve("runs.json");
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        List<String> command = new ArrayList<>(List.of(
                "bench runs --rate 4 --reads 6 --seconds 2 --threads 3 --step 2 --step-seconds 1 --warm-up 1 --json"
                        .split(" ")));
        command.add(json.toString());
        int status = Main.run(command, new PrintStream(output, true, UTF_8));
        assertThat(output.toString(UTF_8)).contains("wanted", "fdatasync", "all a message");
        JsonNode saved = Json.MAPPER.readTree(json.toFile());
        JsonNode windows = saved.path("report").path("windows");
        assertThat(windows.size()).isPositive();
        assertThat(windows).allSatisfy(window -> {
            assertThat(window.path("failures").asLong())
                    .as(window.path("firstFailure").asString())
                    .isZero();
            assertThat(window.path("due").asLong()).isPositive();
        });
        boolean held = !saved.path("held").isNull();
        assertThat(status).as("the status says whether a rate was held").isEqualTo(held ? 0 : 1);
    }

    @Test
    void aRateIsNotHeldByLosingRunsOrByLettingThemWait() {
        assertThat(window(100, 1_000, 1_000, 0, 50, 0).holds()).isTrue();
        assertThat(window(100, 1_000, 1_000, 0, 2_500, 0).holds())
                .as("runs took long")
                .isFalse();
        assertThat(window(100, 1_000, 700, 300, 50, 0).holds())
                .as("runs were left")
                .isFalse();
        assertThat(window(100, 1_000, 1_000, 0, 50, 1).holds())
                .as("something failed")
                .isFalse();
    }

    /** What an earlier window has lost for ever is not held against a later one. */
    @Test
    void onlyAQueueThatGrowsInTheWindowCounts() {
        assertThat(window(100, 1_000, 1_000, 500, 600, 50, 0).holds()).isTrue();
        assertThat(window(100, 1_000, 1_000, 500, 701, 50, 0).holds()).isFalse();
    }

    private static Measured window(int rate, long due, long finished, long left, double p99, long failures) {
        return window(rate, due, finished, 0, left, p99, failures);
    }

    private static Measured window(
            int rate, long due, long finished, long leftBefore, long left, double p99, long failures) {
        Latencies times = new Latencies(finished, 10, p99, p99, p99);
        return new Measured(
                "wanted",
                rate,
                rate,
                10,
                due,
                finished,
                finished,
                leftBefore,
                left,
                failures,
                null,
                times,
                times,
                times,
                new CpuUse.Each(1, 1, 0, 1),
                1,
                new DiskProbe.Flush(1, 1));
    }
}
