package dev.parley.bench.prove;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bench.TestServer;
import dev.parley.bench.rig.Accounts;
import dev.parley.testkit.TestDatabase;
import dev.parley.testkit.TestPostgres;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The short forms of {@code ./parley prove runs}. */
class RunProofTest {
    /** Both run at once, since both spend most of their time waiting for the end of a lease. */
    @Test
    void runsOutliveKilledAndFrozenServers(@TempDir Path folder) throws InterruptedException, ExecutionException {
        try (TestDatabase database = TestPostgres.shared().emptyDatabase();
                ExecutorService both = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<RunFinding> kill =
                    both.submit(() -> new RunKillProof(folder.resolve("kill"), new RunCrowd.Size(16, 2), 1, System.out)
                            .run(Duration.ofSeconds(2), 1));
            Future<RunFinding> zombie =
                    both.submit(() -> new ZombieProof(folder.resolve("zombie"), database.address(), System.out).run(1));
            assertThat(kill.get().violations()).isEmpty();
            assertThat(kill.get().acknowledged()).isEqualTo(16);
            assertThat(kill.get().ended("completed")).isPositive();
            // Without these answers the kills have disturbed no viewer.
            assertThat(kill.get().answers()).containsKeys("viewer cut off", "viewer left");
            assertThat(zombie.get().violations()).isEmpty();
            assertThat(zombie.get().cycles()).isOne();
        }
    }

    @Test
    void noEventFollowsACancel(@TempDir Path folder) throws InterruptedException {
        Accounts accounts = new Accounts(1);
        try (TestServer server = new TestServer(folder, accounts)) {
            RunFinding finding = new CancelProof(server.uri(), accounts.users().getFirst(), 1).run(24);
            assertThat(finding.violations()).isEmpty();
            assertThat(finding.acknowledged()).isEqualTo(24);
            assertThat(finding.ended("cancelled")).isPositive();
        }
    }

    @Test
    void oneViolationGivesANonZeroStatus() throws IOException {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(output, true, UTF_8);
        assertThat(RunProofs.conclude(List.of(finding(), finding("stuck")), out))
                .isEqualTo(1);
        assertThat(output.toString(UTF_8)).contains("cancelled", "unavailable");
        assertThat(RunProofs.table(List.of(finding())).toString().lines().toList())
                .last()
                .asString()
                .matches("a step +2 +9 +4 +3 +0 +18 +3.8 +2.5 +0");
    }

    private static RunFinding finding(String... violations) {
        return new RunFinding(
                "a step",
                1,
                2,
                9,
                Map.of("completed", 4L, "failed interrupted", 2L, "failed gave_up", 1L),
                18,
                List.of(1.25, 2.5),
                Map.of(),
                List.of(violations));
    }
}
