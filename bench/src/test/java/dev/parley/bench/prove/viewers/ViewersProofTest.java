package dev.parley.bench.prove.viewers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bench.prove.cluster.FaultCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short form of {@code ./parley prove viewers}. */
class ViewersProofTest {
    @Test
    void streamsStayWholeWhenTheirNodeIsKilled(@TempDir Path folder) throws IOException, InterruptedException {
        ViewersProof proof = new ViewersProof(
                new FaultCluster.Shape(folder, 2, "256m", 1, false),
                100,
                4,
                2,
                100,
                Duration.ofMinutes(10),
                Duration.ofSeconds(3),
                1,
                1,
                System.out);
        ViewersProof.Finding finding = proof.run();
        assertThat(finding.violations()).isEmpty();
        assertThat(finding.kills()).isOne();
        // At least the viewers of the killed node reconnect.
        assertThat(finding.reconnects()).isGreaterThanOrEqualTo(50);
        assertThat(finding.deliveries()).isEqualTo(25 * finding.messages());
    }
}
