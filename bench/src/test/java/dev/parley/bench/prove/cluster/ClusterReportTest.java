package dev.parley.bench.prove.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.bench.rig.UsageException;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.testkit.history.HistoryChecker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterReportTest {
    @Test
    void oneViolationGivesANonZeroStatus(@TempDir Path folder) throws IOException {
        HistoryFolder history = HistoryFolder.make(folder, "./parley prove");
        PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, UTF_8);
        assertThat(ClusterProof.conclude(finding(round("kill", 0)), history, out))
                .isZero();
        assertThat(ClusterProof.conclude(finding(round("kill", 0), round("drop", 1)), history, out))
                .isOne();
        assertThat(history.path()).isDirectoryContaining("glob:**/result.json");
    }

    @Test
    void roundsAreKeptAsTheyAreJudged(@TempDir Path folder) throws IOException {
        HistoryFolder.add(folder, round("kill", 0));
        HistoryFolder.add(folder, round("drop", 1));
        List<String> lines = Files.readAllLines(folder.resolve("rounds.jsonl"));
        assertThat(lines)
                .extracting(line -> Json.MAPPER.readTree(line).path("row").asString())
                .containsExactly("kill", "drop");
    }

    @Test
    void aRoundThatCouldNotBeginIsAViolation() {
        ClusterFinding finding = new ClusterFinding(
                1,
                3,
                List.of(FaultKind.KILL),
                List.of(FaultKind.KILL),
                List.of(round("kill", 0)),
                List.of("round 2 could not begin: no node is left"),
                List.of(),
                new Chains.Checked(80, List.of()));
        assertThat(finding.holds()).isFalse();
        assertThat(ClusterReport.table(finding).toString().replaceAll(" +", " "))
                .contains("in all 1 100 80 0 0 0 1 0 3.5 2.5");
    }

    @Test
    void impossibleFaultsAreRefused() {
        assertThat(FaultKind.possible(List.of(FaultKind.DISK, FaultKind.KILL), false))
                .containsExactly(FaultKind.KILL);
        assertThat(FaultKind.possible(List.of(FaultKind.DISK), true)).containsExactly(FaultKind.DISK);
        assertThatThrownBy(() -> FaultKind.possible(List.of(FaultKind.DISK), false))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("root");
    }

    /** The folder also holds files of runs, which are no histories. */
    @Test
    void messagesAreJudgedAgainAndRunsAreNot(@TempDir Path folder) throws IOException {
        new HistoryChecker().save(HistoryFolder.messages(folder, 1), Map.of(ThreadId.fresh(), List.of()));
        Files.writeString(HistoryFolder.runs(folder, 1), "not even packed");
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        assertThat(HistoryFolder.JUDGE.run(
                        List.of("--history", folder.toString()), new PrintStream(output, true, UTF_8)))
                .isZero();
        assertThat(output.toString(UTF_8))
                .contains("round-0001.jsonl.gz", "Runs are not judged again")
                .doesNotContain("runs-0001");
    }

    @Test
    void everyKindHasARowAndThereIsATotal() {
        List<String> lines = ClusterReport.table(finding(round("kill", 1), round("kill", 0), round(Round.TWO, 0)))
                .toString()
                .lines()
                .map(line -> line.replaceAll(" +", " "))
                .toList();
        assertThat(lines)
                .contains(
                        "kill 2 200 160 1 0 0 0 0 7.0 2.5",
                        "disk not possible here - - - - - - - - -",
                        "two at once 1 100 80 0 0 0 0 0 3.5 2.5",
                        "at the end 1 80 - 0 0 0 0 0 - -",
                        "in all 3 300 240 1 0 0 0 0 10.5 2.5");
    }

    private static ClusterFinding finding(RoundFinding... rounds) {
        return new ClusterFinding(
                1,
                3,
                List.of(FaultKind.KILL, FaultKind.DISK),
                List.of(FaultKind.KILL),
                List.of(rounds),
                List.of(),
                List.of(),
                new Chains.Checked(80, List.of()));
    }

    private static RoundFinding round(String row, int lost) {
        return new RoundFinding(
                1,
                row,
                List.of(row),
                1,
                "then",
                "later",
                "later still",
                12.5,
                100,
                80,
                Map.of(),
                lost,
                0,
                0,
                0,
                0,
                List.of(1.0, 2.5),
                Map.of(),
                lost > 0 ? List.of("LOST: a message") : List.of());
    }
}
