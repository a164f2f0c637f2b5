package dev.parley.bench.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bench.ShortRun;
import dev.parley.bench.rig.CpuUse;
import dev.parley.bench.rig.DiskProbe;
import dev.parley.bench.rig.Latencies;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class RunsBenchTest {
    @Test
    void aShortRunGivesEveryFigure(@TempDir Path folder) {
        ShortRun run = ShortRun.of(
                folder, "bench runs --rate 4 --reads 6 --seconds 2 --threads 3 --step 2 --step-seconds 1 --warm-up 1");
        assertThat(run.output()).contains("wanted", "fdatasync", "all a message");
        JsonNode windows = run.windows();
        assertThat(windows.size()).isPositive();
        assertThat(windows).allSatisfy(window -> {
            assertThat(window.path("failures").asLong())
                    .as(window.path("firstFailure").asString())
                    .isZero();
            assertThat(window.path("due").asLong()).isPositive();
        });
        boolean held = !run.saved().path("held").isNull();
        assertThat(run.status()).as("the status says whether a rate was held").isEqualTo(held ? 0 : 1);
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

    /** Runs lost in an earlier window do not count against a later one. */
    @Test
    void onlyAQueueThatGrowsInTheWindowCounts() {
        assertThat(window(100, 1_000, 1_000, 500, 600, 50, 0).holds()).isTrue();
        assertThat(window(100, 1_000, 1_000, 500, 701, 50, 0).holds()).isFalse();
    }

    private static RunsReport.Window window(int rate, long due, long finished, long left, double p99, long failures) {
        return window(rate, due, finished, 0, left, p99, failures);
    }

    private static RunsReport.Window window(
            int rate, long due, long finished, long leftBefore, long left, double p99, long failures) {
        Latencies times = new Latencies(finished, 10, p99, p99, p99);
        return new RunsReport.Window(
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
