package dev.parley.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testkit.ChildProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the rehearsal itself, with real servers. */
class RehearseTest {
    private static final Duration LIMIT = Duration.ofSeconds(120);

    @TempDir
    private Path folder;

    @Test
    void theRehearsalStartsTwiceIgnoresSettingsAndRemovesItsFiles() throws Exception {
        Path data = folder.resolve("data");
        Path scratch = Files.createDirectory(folder.resolve("scratch"));
        // The user that runs PostgreSQL for root must be able to enter the folder.
        folder.toFile().setExecutable(true, false);
        scratch.toFile().setExecutable(true, false);
        List<String> flags = new ArrayList<>(CommandRun.JVM);
        flags.add("-Djava.io.tmpdir=" + scratch);

        try (ChildProcess rehearsal = ChildProcess.java(
                folder,
                Map.of(
                        "PARLEY_DATA",
                        data.toString(),
                        "PARLEY_DATABASE_URL",
                        "jdbc:postgresql://192.0.2.1/precious",
                        "PARLEY_PORT",
                        "1"),
                flags,
                Main.class.getName(),
                List.of("rehearse"))) {
            assertThat(rehearsal.awaitExit(LIMIT))
                    .as(String.join("\n", rehearsal.output()))
                    .isZero();
            assertThat(rehearsal.output())
                    .filteredOn(line -> line.matches(".*access GET /health/ready 200 .*"))
                    .hasSize(4);
        }

        assertThat(data).doesNotExist();
        assertThat(scratch).isEmptyDirectory();
    }

    @Test
    void theRehearsalAcceptsNoSettings() throws Exception {
        CommandRun refused = CommandRun.of("rehearse", "--data", "precious");

        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).singleElement().asString().contains("takes no settings", "--data");
    }
}
