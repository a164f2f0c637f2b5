package dev.parley.postgres;

import static dev.parley.postgres.PostgresFolder.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The leftovers of a killed launcher do not keep the next one from starting. */
class KilledLauncherTest {
    @RegisterExtension
    final PostgresFolder folder = new PostgresFolder();

    @Test
    void orphanIsStoppedAndReplaced() throws Exception {
        long orphan;
        try (ChildLauncher child = ChildLauncher.on(folder.path(), PostgresFolder.BINARIES)) {
            orphan = child.awaitPostgres();
            child.kill();
        }
        assertThat(ProcessHandle.of(orphan).filter(ProcessHandle::isAlive)).isPresent();
        try (EmbeddedPostgres postgres = folder.start()) {
            assertThat(postgres.pid()).isNotEqualTo(orphan);
            assertThat(query(postgres, "select 1")).isEqualTo("1");
            assertThat(Files.readString(folder.path().resolve("postgres.log")))
                    .contains("received fast shutdown request");
        }
    }

    @Test
    void orphanThatCannotEndIsKilled() throws Exception {
        long orphan;
        try (ChildLauncher child = ChildLauncher.on(folder.path(), PostgresFolder.BINARIES)) {
            orphan = child.awaitPostgres();
        }
        ShortCommand.run(List.of("/bin/sh", "-c", "kill -STOP " + orphan), Duration.ofSeconds(5));
        EmbeddedPostgres.Settings hasty = new EmbeddedPostgres.Settings(
                folder.path(),
                PostgresFolder.BINARIES,
                folder.settings().parameters(),
                PostgresFolder.LIMIT,
                Duration.ofMillis(200));
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(hasty)) {
            assertThat(query(postgres, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void interruptedInitdbIsDoneAgain() throws Exception {
        Binaries.unpackedIn(PostgresFolder.BINARIES);
        try (ChildLauncher child = ChildLauncher.on(folder.path(), PostgresFolder.BINARIES)) {
            await().atMost(PostgresFolder.LIMIT)
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> initdbIsAtWork() || !child.alive());
            child.kill();
        }
        assertThat(folder.cluster()).doesNotExist();
        try (EmbeddedPostgres postgres = folder.start()) {
            assertThat(query(postgres, "select 1")).isEqualTo("1");
        }
        assertThat(new DataFolder(folder.path()).stagings()).isEmpty();
    }

    private boolean initdbIsAtWork() throws IOException {
        if (!Files.exists(folder.path())) {
            return false;
        }
        for (Path staging : new DataFolder(folder.path()).stagings()) {
            if (Files.exists(staging.resolve("cluster/base"))) {
                return true;
            }
        }
        return false;
    }

    @Test
    void folderOfALiveLauncherIsRefusedAndLeftAlone() throws Exception {
        try (ChildLauncher child = ChildLauncher.on(folder.path(), PostgresFolder.BINARIES)) {
            long owned = child.awaitPostgres();
            assertThatThrownBy(folder::start)
                    .isInstanceOf(PostgresUnavailable.class)
                    .hasMessageContaining("in use by another Parley (process " + child.pid() + ")");
            assertThat(ProcessHandle.of(owned).filter(ProcessHandle::isAlive)).isPresent();
        }
        folder.start().close();
    }

    @Test
    void folderInUseByThisProcessStaysLockedForOthers() throws Exception {
        try (EmbeddedPostgres postgres = folder.start()) {
            assertThatThrownBy(folder::start)
                    .isInstanceOf(PostgresUnavailable.class)
                    .hasMessageContaining("is in use");
            // The refused attempt must not have dropped the lock for other processes.
            try (ChildLauncher child = ChildLauncher.on(folder.path(), PostgresFolder.BINARIES)) {
                assertThatThrownBy(child::awaitPostgres).hasMessageContaining("did not start");
            }
            assertThat(query(postgres, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void processIdReusedByAnotherProgramIsNoObstacle() throws Exception {
        Path lockFile = killedServersLockFile();
        List<String> lines = new ArrayList<>(Files.readAllLines(lockFile));
        lines.set(0, Long.toString(ProcessHandle.current().pid()));
        Files.write(lockFile, lines);
        folder.start().close();
    }

    @Test
    void emptyLockFileIsNoObstacle() throws Exception {
        Files.newOutputStream(killedServersLockFile(), StandardOpenOption.TRUNCATE_EXISTING)
                .close();
        folder.start().close();
    }

    private Path killedServersLockFile() {
        try (EmbeddedPostgres postgres = folder.start()) {
            Signal.KILL.send(postgres.pid());
            await().atMost(PostgresFolder.LIMIT).until(() -> !postgres.running());
        }
        // Its children end on their own; then only the lock file remains.
        await().atMost(PostgresFolder.LIMIT).until(() -> noProcessIn(folder.cluster()));
        return folder.cluster().resolve("postmaster.pid");
    }

    private static boolean noProcessIn(Path workingFolder) {
        try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses()) {
            return processes.noneMatch(process -> {
                try {
                    return Files.readSymbolicLink(Path.of("/proc/" + process.pid() + "/cwd"))
                            .equals(workingFolder);
                } catch (IOException e) {
                    return false;
                }
            });
        }
    }
}
