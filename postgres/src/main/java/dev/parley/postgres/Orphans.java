package dev.parley.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops a PostgreSQL that a killed Parley left running on the data folder. Such a process is stopped cleanly instead of
 * adopted, because its settings may differ and a new start takes only a fraction of a second. The caller holds the
 * folder's lock, so no such process has an owner.
 */
final class Orphans {
    private static final Logger LOG = LoggerFactory.getLogger(Orphans.class);
    /** A process id that no process has, because it is larger than any id of Linux or macOS. */
    private static final String NO_PROCESS = Integer.toString(Integer.MAX_VALUE);

    private Orphans() {}

    static void clear(DataFolder folder, Duration limit) {
        for (ProcessHandle orphan : runningOn(folder)) {
            LOG.info("Stopping PostgreSQL {}, which a killed process left running on {}.", orphan.pid(), folder.path());
            Shutdown.stop(orphan.pid(), limit, () -> !runsOn(folder, orphan));
        }
        try {
            disownLockFile(folder.cluster().resolve("postmaster.pid"));
        } catch (IOException e) {
            throw new PostgresUnavailable(
                    "The lock file that PostgreSQL left in %s cannot be cleared: %s."
                            .formatted(folder.cluster(), Reasons.of(e)),
                    e);
        }
    }

    /**
     * The PostgreSQL servers that run on the folder, and each initdb that would continue to write to a staging folder.
     */
    static List<ProcessHandle> runningOn(DataFolder folder) {
        return ProcessHandle.allProcesses()
                .filter(process -> runsOn(folder, process))
                .toList();
    }

    private static boolean runsOn(DataFolder folder, ProcessHandle process) {
        // A zombie has no command line, so it counts as gone even if its parent never collects it.
        String commandLine = commandLine(process.info());
        return commandLine.contains("/bin/postgres -D " + folder.cluster() + " ")
                || commandLine.contains("/bin/initdb -D " + folder.path() + "/");
    }

    private static String commandLine(ProcessHandle.Info info) {
        return info.commandLine()
                .or(() -> info.arguments().map(arguments -> String.join(" ", arguments)))
                .orElse("");
    }

    /**
     * Overwrites the process id in PostgreSQL's lock file. PostgreSQL refuses to start while a process with this id is
     * alive, even if the id belongs to another program by now, which is usual after a container restart. The file is
     * not deleted, because PostgreSQL uses the shared memory key in the file to see whether children of the old server
     * still run.
     */
    private static void disownLockFile(Path lockFile) throws IOException {
        if (!Files.exists(lockFile)) {
            return;
        }
        List<String> lines = Files.readAllLines(lockFile);
        Optional<String> pid =
                lines.stream().findFirst().filter(line -> line.strip().matches("-?\\d+"));
        if (pid.isEmpty()) {
            Files.delete(lockFile);
            return;
        }
        Files.writeString(lockFile, NO_PROCESS + "\n" + String.join("\n", lines.subList(1, lines.size())) + "\n");
    }
}
