package dev.parley.app;

import dev.parley.testkit.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Folders for the files of one test, under the module's target folder. */
final class Scratch {
    private static final Path ROOT = Path.of("target", "scratch");
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private Scratch() {}

    static Path folder(String name) throws IOException {
        return Files.createTempDirectory(Files.createDirectories(ROOT), name).toRealPath();
    }

    /** A data folder with only the programs of PostgreSQL, which all such folders share. */
    static Path data() throws IOException {
        Path folder = folder("data");
        Path programs = Files.createDirectories(TestPostgres.programs());
        Files.createSymbolicLink(folder.resolve("programs"), programs.toRealPath());
        return folder;
    }

    /** Deletes a folder, and waits for a dying process that still writes into it. */
    static void delete(Path folder) {
        Awaitility.await().atMost(LIMIT).ignoreExceptions().until(() -> {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
            return true;
        });
    }
}
