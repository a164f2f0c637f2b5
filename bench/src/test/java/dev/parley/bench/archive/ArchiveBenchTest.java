package dev.parley.bench.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bench.ShortRun;
import dev.parley.bench.rig.Machine;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ArchiveBenchTest {
    private static final long MEGABYTE = 1024 * 1024;

    /** Too short to judge memory, but the rows are compared. */
    @Test
    void importedRowsEqualExportedRows(@TempDir Path folder) {
        ShortRun run = ShortRun.of(folder, "bench archive --messages 2000 --per-thread 30");
        assertThat(run.output())
                .contains("every table has the same rows in both databases", "Imported 2,000 messages of 51 threads");
        JsonNode report = run.saved();
        assertThat(report.path("different").isEmpty()).isTrue();
        assertThat(report.path("rows").asLong()).isGreaterThan(4 * 2000);
        assertThat(report.path("steps").size()).isEqualTo(3);
        for (JsonNode step : report.path("steps")) {
            assertThat(step.path("status").asInt()).as(run.output()).isZero();
        }
        assertThat(run.status())
                .isEqualTo(report.path("steps").valueStream().allMatch(ArchiveBenchTest::isFlat) ? 0 : 1);
    }

    /** A very slow machine may need long enough for memory to be judged here, too. */
    private static boolean isFlat(JsonNode step) {
        JsonNode memory = step.path("residentBytes");
        return step.path("seconds").asDouble() < 20
                || memory.isEmpty()
                || memory.get(3).asDouble() / memory.get(1).asDouble() <= 1.25;
    }

    @Test
    void growingMemoryAFailureOrADifferenceBreaksThePromise() {
        ArchiveReport.Step flat = step(0, 100, 110, 120, 124);
        assertThat(report(List.of(), flat).holds()).isTrue();
        assertThat(report(List.of(), flat, step(0, 100, 110, 120, 160)).holds()).isFalse();
        assertThat(report(List.of(), step(1, 100, 100, 100, 100)).holds()).isFalse();
        assertThat(report(List.of("entries"), flat).holds()).isFalse();
        assertThat(report(List.of("entries"), flat).text()).contains("not the same in both databases: entries");
    }

    private static ArchiveReport.Step step(int status, long... megabytes) {
        return new ArchiveReport.Step(
                "export",
                status,
                60,
                Arrays.stream(megabytes).mapToObj(each -> each * MEGABYTE).toList());
    }

    private static ArchiveReport report(List<String> different, ArchiveReport.Step... steps) {
        return new ArchiveReport(
                Machine.here(), new ArchiveBench.Plan(10, 1, 64, Path.of("x")), 40, 1_000, List.of(steps), different);
    }
}
