package dev.parley.bench.viewers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.bench.Main;
import dev.parley.bench.ShortRun;
import dev.parley.bench.rig.OpenFiles;
import dev.parley.bench.rig.UsageException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ViewersBenchTest {
    /** A short run: figures exist, and every viewer came back whole. */
    @Test
    void aShortRunGivesEveryFigure(@TempDir Path folder) {
        ShortRun run = ShortRun.of(folder, "bench viewers --viewers 40 --inboxes 5 --threads 4 --idle 1 --starts 1");
        assertThat(run.status()).isZero();
        assertThat(run.output())
                .contains("memory a viewer", "idle: CPU", "all have caught up", "kill -9 to first append");
        JsonNode report = run.saved().path("report");
        JsonNode back = report.path("back");
        assertThat(back.path("viewers").asInt()).isEqualTo(40);
        assertThat(back.path("caughtUp").path("count").asInt()).isEqualTo(40);
        assertThat(back.path("gaps").asInt()).isZero();
        assertThat(back.path("repeats").asInt()).isZero();
        assertThat(report.path("starts").path("recoveries").size()).isEqualTo(1);
    }

    @Test
    void moreViewersThanPortsAreRefused() {
        assertThat(Main.run(List.of("bench", "viewers", "--viewers", "25001"), System.out))
                .isEqualTo(2);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void moreViewersThanFilesAreRefused() {
        OpenFiles.requireRoomFor(1);
        assertThatThrownBy(() -> OpenFiles.requireRoomFor(2_000_000_000))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("ulimit");
    }
}
