package dev.parley.bench.prove;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KillProofTest {
    /** One kill of the server, one of PostgreSQL, one of both. */
    @Test
    void acknowledgedMessagesSurviveKills(@TempDir Path folder) throws IOException, InterruptedException {
        int kills = KillProof.Victim.values().length;
        LogFinding finding = new KillProof(folder.resolve("data"), new Crowd.Size(8, 6), 4, 1, System.out)
                .run(kills, Duration.ofMinutes(5));
        assertThat(finding.violations()).isEmpty();
        assertThat(finding.cycles()).isEqualTo(kills);
        assertThat(finding.acknowledged()).isPositive();
    }
}
