package dev.parley.bench.turns;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bench.Main;
import dev.parley.bench.ShortRun;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.OperationCost;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class TurnsBenchTest {
    @Test
    void aShortRunGivesEveryFigure(@TempDir Path folder) {
        ShortRun run = ShortRun.of(folder, "bench turns --turns 12 --window 3 --rounds 1 --warm-up 2");
        assertThat(run.output()).contains("CPU per turn", "WAL bytes per turn", "at most 1.1");
        JsonNode windows = run.windows();
        assertThat(windows.size()).isEqualTo(3);
        assertThat(windows.get(0).path("first").asInt()).isEqualTo(6);
        assertThat(windows.get(2).path("last").asInt()).isEqualTo(12);
        assertThat(windows).allMatch(window -> window.path("walBytes").asDouble() > 100);
        boolean kept = run.saved().path("ratio").path("cpu").asDouble() <= 1.1
                && run.saved().path("ratio").path("walBytes").asDouble() <= 1.1;
        assertThat(run.status()).as("the status says whether the bound is kept").isEqualTo(kept ? 0 : 1);
    }

    @Test
    void twoWindowsHaveToFit() {
        assertThat(Main.run(
                        List.of("bench", "turns", "--turns", "40"),
                        new PrintStream(new ByteArrayOutputStream(), true, UTF_8)))
                .isEqualTo(2);
    }

    @Test
    void aReportHoldsUpToTheBoundAndNoFurther() {
        assertThat(report(110, 1_100).holds()).isTrue();
        assertThat(report(111, 1_100).holds()).isFalse();
        assertThat(report(110, 1_101).text()).contains("at most 1.1, missed");
    }

    private static TurnsReport report(double lateMicros, double lateBytes) {
        return new TurnsReport(
                Machine.here(),
                new TurnsBench.Plan(45, 20, 5, 0, 1, Path.of("turns.json")),
                List.of(
                        new TurnsReport.Window(1, 6, 25, new OperationCost(60, 40, 1_000)),
                        new TurnsReport.Window(1, 26, 45, new OperationCost(lateMicros, 0, lateBytes))));
    }
}
