package dev.parley.bench.prove.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testkit.history.HistoryFile;
import dev.parley.testkit.history.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short form of {@code ./parley prove}: one round of each of the faults that do the most harm. */
class ClusterProofTest {
    private static final List<FaultKind> FAULTS =
            List.of(FaultKind.KILL, FaultKind.POSTGRES_KILL, FaultKind.FREEZE, FaultKind.DROP, FaultKind.REDIS_KILL);

    @Test
    void threeNodesKeepEveryPromiseWhateverBreaks(@TempDir Path folder)
            throws IOException, InterruptedException, SQLException {
        ClusterProof.Setup setup = new ClusterProof.Setup(
                new FaultCluster.Shape(folder.resolve("cluster"), 3, "256m", 2, false),
                ProofLoad.of(4, 3, 1),
                FAULTS,
                false,
                1,
                Duration.ofMinutes(10),
                FAULTS.size(),
                folder);
        ClusterFinding finding = new ClusterProof(setup, System.out).run();
        assertThat(finding.violations()).isEmpty();
        assertThat(finding.rounds()).hasSize(FAULTS.size()).allMatch(round -> round.acknowledged() > 0);
        // Without these answers the faults have disturbed no call.
        assertThat(finding.rounds()).anyMatch(round -> round.answers().containsKey("no answer"));
        assertThat(finding.chains().entries()).isPositive();
        assertThat(Files.readAllLines(folder.resolve("rounds.jsonl"))).hasSize(FAULTS.size());
        Verdict again = HistoryFile.judge(folder.resolve("round-0001.jsonl.gz"));
        assertThat(again.violations()).isEmpty();
        assertThat(again.acknowledged()).isPositive();
    }
}
