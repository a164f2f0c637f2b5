package dev.parley.bench.sessions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bench.Main;
import dev.parley.bench.rig.Machine;
import dev.parley.protocol.Json;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class SessionsBenchTest {
    /** Small and short: whether there are figures, not which. */
    @Test
    void aShortRunGivesEveryFigure(@TempDir Path folder) {
        Path json = folder.resolve("sessions.json");
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        List<String> command = new ArrayList<>(
                List.of("bench sessions --messages 1200 --window 5 --rounds 1 --warm-up 2 --json".split(" ")));
        command.add(json.toString());
        int status = Main.run(command, new PrintStream(output, true, UTF_8));
        assertThat(output.toString(UTF_8)).contains("CPU per message", "WAL bytes per message", "at most 1.2");
        JsonNode saved = Json.MAPPER.readTree(json.toFile());
        JsonNode windows = saved.path("report").path("windows");
        assertThat(windows.size()).isEqualTo(2);
        assertThat(windows.get(0).path("before").asInt()).isEqualTo(100);
        assertThat(windows.get(1).path("before").asInt()).isEqualTo(1_200);
        assertThat(windows).allMatch(window -> window.path("walBytes").asDouble() > 500);
        boolean kept = saved.path("ratio").path("cpu").asDouble() <= 1.2;
        assertThat(status).as("the status says whether the bound is kept").isEqualTo(kept ? 0 : 1);
    }

    @Test
    void aReportHoldsUpToTheBoundAndNoFurther() {
        assertThat(report(120).ratio().holds()).isTrue();
        assertThat(report(121).ratio().holds()).isFalse();
        assertThat(report(121).text()).contains("at most 1.2, missed");
    }

    private static SessionsReport report(double longMicros) {
        return new SessionsReport(
                Machine.here(),
                new SessionsPlan(1_000, 100, 10, 1, 0, Path.of("sessions.json")),
                List.of(
                        new SessionsReport.Window(1, false, 100, 60, 40, 1_000),
                        new SessionsReport.Window(1, true, 1_000, longMicros, 0, 1_000)));
    }
}
