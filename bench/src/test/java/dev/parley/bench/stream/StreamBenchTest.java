package dev.parley.bench.stream;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bench.ShortRun;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class StreamBenchTest {
    @Test
    void aShortRunGivesEveryFigure(@TempDir Path folder) {
        ShortRun run = ShortRun.of(folder, "bench stream --runs 3 --rate 20 --seconds 2 --rounds 1 --warm-up 0");
        assertThat(run.output()).contains("p50 / commit p50", "at most 3", "CPU per token / direct");
        JsonNode windows = run.windows();
        assertThat(windows.size()).isEqualTo(2);
        assertThat(windows).allSatisfy(window -> {
            assertThat(window.path("tokens").asLong()).isPositive();
            assertThat(window.path("commit").path("p50").asLong()).isPositive();
        });
        JsonNode ratios = run.saved().path("ratios");
        boolean kept = ratios.path("p50ToCommit").asDouble() <= 3
                && ratios.path("p99ToCommit").asDouble() <= 10;
        assertThat(run.status())
                .as("the status says whether the bounds are kept")
                .isEqualTo(kept ? 0 : 1);
    }

    @Test
    void stampsAreFoundInAnyPieces() {
        String frame = "data: {\"x\":\"\"\"delta\":\"" + Stamp.of(-5) + "\"}\n\ndata: {\"delta\":\""
                + Stamp.of(1_234_567_890_123L) + "\"}";
        Stamp stamp = new Stamp();
        List<Long> found = new ArrayList<>();
        for (byte next : frame.getBytes(US_ASCII)) {
            if (stamp.take(next)) {
                found.add(stamp.nanos());
            }
        }
        assertThat(found).containsExactly(-5L, 1_234_567_890_123L);
    }
}
