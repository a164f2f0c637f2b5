package dev.parley.bench.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bench.ShortRun;
import dev.parley.bench.rig.Machine;
import dev.parley.bench.rig.OperationCost;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class SessionsBenchTest {
    @Test
    void aShortRunGivesEveryFigure(@TempDir Path folder) {
        ShortRun run = ShortRun.of(folder, "bench sessions --messages 1200 --window 5 --rounds 1 --warm-up 2");
        assertThat(run.output()).contains("CPU per message", "WAL bytes per message", "at most 1.2");
        JsonNode windows = run.windows();
        assertThat(windows.size()).isEqualTo(2);
        assertThat(windows.get(0).path("before").asInt()).isEqualTo(100);
        assertThat(windows.get(1).path("before").asInt()).isEqualTo(1_200);
        assertThat(windows).allMatch(window -> window.path("walBytes").asDouble() > 500);
        boolean kept = run.saved().path("ratio").path("cpu").asDouble() <= 1.2;
        assertThat(run.status()).as("the status says whether the bound is kept").isEqualTo(kept ? 0 : 1);
    }

    @Test
    void aReportHoldsUpToTheBoundAndNoFurther() {
        assertThat(report(120).holds()).isTrue();
        assertThat(report(121).holds()).isFalse();
        assertThat(report(121).text()).contains("at most 1.2, missed");
    }

    private static SessionsReport report(double longMicros) {
        return new SessionsReport(
                Machine.here(),
                new SessionsBench.Plan(1_000, 100, 10, 1, 0, Path.of("sessions.json")),
                List.of(
                        new SessionsReport.Window(1, false, 100, new OperationCost(60, 40, 1_000)),
                        new SessionsReport.Window(1, true, 1_000, new OperationCost(longMicros, 0, 1_000))));
    }
}
