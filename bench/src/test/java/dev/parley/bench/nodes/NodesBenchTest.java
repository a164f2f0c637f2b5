package dev.parley.bench.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bench.Main;
import dev.parley.bench.ShortRun;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class NodesBenchTest {
    /** A short run: it ends only if every message reaches its viewers on both nodes. */
    @Test
    void aShortRunGivesEveryFigure(@TempDir Path folder) {
        ShortRun run = ShortRun.of(
                folder, "bench nodes --nodes 2 --rate 10 --threads 3 --viewers 2 --seconds 2 --rounds 1 --warm-up 0");
        assertThat(run.status()).as(run.output()).isZero();
        assertThat(run.output()).contains("2 nodes / 1 node", "CPU per message", "CPU per delivery");
        JsonNode windows = run.windows();
        assertThat(windows.size()).isEqualTo(2);
        assertThat(windows).allSatisfy(window -> {
            assertThat(window.path("failures").asLong()).isZero();
            assertThat(window.path("post").path("count").asLong()).isPositive();
        });
    }

    @Test
    void unknownBusIsRefused() {
        assertThat(Main.run(List.of("bench", "nodes", "--bus", "pigeons"), System.out))
                .isEqualTo(2);
    }
}
