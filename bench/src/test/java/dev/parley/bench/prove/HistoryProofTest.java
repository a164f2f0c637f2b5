package dev.parley.bench.prove;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryProofTest {
    private static final Duration LENGTH = Duration.ofSeconds(10);

    @Test
    void crowdOnABadNetworkFindsEveryPromiseKept(@TempDir Path folder) throws IOException, InterruptedException {
        LogFinding finding = new HistoryProof(folder.resolve("data"), new Crowd.Size(16, 9), 4, 1).run(LENGTH);
        assertThat(finding.violations()).isEmpty();
        assertThat(finding.acknowledged()).isPositive();
        // Without these answers the network has disturbed no call.
        assertThat(finding.answers()).containsKeys("no answer", "key-reused", "reader cut off");
    }
}
