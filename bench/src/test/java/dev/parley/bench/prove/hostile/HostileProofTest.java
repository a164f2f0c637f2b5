package dev.parley.bench.prove.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short form of {@code ./parley prove hostile}. Only the long form judges times; both judge promises. */
class HostileProofTest {
    @Test
    void honestCallersAreServedBesideTheAttacks(@TempDir Path folder) throws Exception {
        HostileProof.Finding finding = new HostileProof(
                        folder,
                        new HostileProof.Setup(4, "512m", Duration.ofSeconds(1), Duration.ofSeconds(12), 1),
                        System.out)
                .run();
        assertThat(finding.violations()).isEmpty();
        assertThat(finding.beside().failed()).isZero();
        assertThat(finding.beside().succeeded()).isPositive();
        assertThat(finding.strikes())
                .hasSize(Attacks.COUNT)
                .allSatisfy((attack, count) -> assertThat(count).as(attack).isPositive());
    }
}
