package dev.parley.bench.turn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bench.Main;
import dev.parley.bench.ShortRun;
import dev.parley.bench.rig.Latencies;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.OperationCost;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class TurnBenchTest {
    @Test
    void shortRunGivesEveryFigure(@TempDir Path folder) {
        ShortRun run = ShortRun.of(folder, "bench turn --turns 2 --late 5 --at-once 2 --rounds 1 --warm-up 4");
        assertThat(run.output())
                .contains(
                        "demo, young, turns 1–2",
                        "model, warm, turns 5–6",
                        "2 at a time",
                        "statements",
                        "CPU per turn",
                        "WAL bytes per turn",
                        "at most 1.1");
        JsonNode windows = run.windows();
        assertThat(windows.size()).isEqualTo(7);
        assertThat(windows).allMatch(window -> window.path("statements").asDouble() > 3);
        assertThat(windows).allMatch(window -> window.path("walBytes").asDouble() > 100);
        assertThat(windows).allMatch(window -> window.at("/millis/p50").asDouble() > 0);
        boolean kept = run.saved().at("/growth/cpu").asDouble() <= 1.1
                && run.saved().at("/growth/walBytes").asDouble() <= 1.1;
        assertThat(run.status()).as("the status tells if the bound is kept").isEqualTo(kept ? 0 : 1);
    }

    @Test
    void lateTurnsComeAfterTheFirstOnes() {
        assertThat(Main.run(
                        List.of("bench", "turn", "--turns", "20", "--late", "21"),
                        new PrintStream(new ByteArrayOutputStream(), true, UTF_8)))
                .isEqualTo(2);
    }

    @Test
    void reportHoldsUpToTheBoundAndNoFurther() {
        assertThat(report(110, 1_100).holds()).isTrue();
        assertThat(report(111, 1_100).holds()).isFalse();
        assertThat(report(110, 1_101).text()).contains("at most 1.1, missed");
    }

    private static TurnReport report(double lateMicros, double lateBytes) {
        TurnBench.Plan plan = new TurnBench.Plan(20, 281, 16, 1, 0, Path.of("turn.json"));
        return new TurnReport(
                Machine.here(),
                plan,
                List.of(
                        window(plan.early(), new OperationCost(60, 40, 1_000)),
                        window(plan.lateTurns(), new OperationCost(lateMicros, 0, lateBytes))));
    }

    private static TurnReport.Window window(String turns, OperationCost cost) {
        return new TurnReport.Window(
                "demo", TurnBench.kind("warm", turns), 1, cost, 25, 100, new Latencies(20, 5, 6, 7, 8));
    }
}
