package dev.parley.bench.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bench.ShortRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class TurnBenchTest {
    @Test
    void shortRunGivesEveryFigure(@TempDir Path folder) {
        ShortRun run = ShortRun.of(folder, "bench turn --turns 2 --late 5 --at-once 2 --rounds 1 --warm-up 4");
        assertThat(run.status()).isZero();
        assertThat(run.output())
                .contains("demo, young, turns 1–2", "model, warm, turns 5–6", "2 at a time", "statements");
        JsonNode windows = run.saved().path("windows");
        assertThat(windows.size()).isEqualTo(7);
        assertThat(windows).allMatch(window -> window.path("statements").asDouble() > 3);
        assertThat(windows).allMatch(window -> window.path("walBytes").asDouble() > 100);
        assertThat(windows).allMatch(window -> window.at("/millis/p50").asDouble() > 0);
    }
}
