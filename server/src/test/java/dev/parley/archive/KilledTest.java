package dev.parley.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parley.storage.DatabaseAddress;
import dev.parley.testkit.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An export or import that is killed midway continues where it stopped. A lock holds it there until it is dead. */
class KilledTest {
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final String WAITING = """
            select count(*) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query ilike 'copy%'""";

    private final ArchiveFixture here = new ArchiveFixture();
    private final ArchiveFixture there = new ArchiveFixture();

    @BeforeEach
    void appendMessages() {
        here.appendMessages(3, 20);
        here.execute("insert into known_names values ('user:x', 'X')");
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    private static ChildProcess command(ArchiveFixture on, String... command) throws IOException {
        DatabaseAddress address = on.address();
        List<String> settings = List.of(
                "--data", on.data.toString(),
                "--database-url", address.jdbcUrl(),
                "--database-user", String.valueOf(address.user()),
                "--database-password", String.valueOf(address.password()));
        return ChildProcess.java(
                Path.of("."),
                Map.of(),
                List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                "dev.parley.app.Main",
                Stream.concat(Stream.of(command), settings.stream()).toList());
    }

    /** Runs a command until it waits for a table, and kills it there. */
    private static void kill(ArchiveFixture on, String lock, String... command) throws Exception {
        try (Connection holder = on.address().connect();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute(lock);
            try (ChildProcess process = command(on, command)) {
                await().atMost(LIMIT).until(() -> {
                    assertThat(process.running())
                            .as(process.output().toString())
                            .isTrue();
                    return on.select(WAITING).equals("1");
                });
                process.killNow();
            }
        }
        // The database session of the killed command ends once the lock is released.
        await().atMost(LIMIT).until(() -> on.select("""
                        select count(*) from pg_stat_activity
                        where datname = current_database() and pid <> pg_backend_pid()""").equals("0"));
    }

    private static void run(ArchiveFixture on, String... command) throws Exception {
        try (ChildProcess process = command(on, command)) {
            int status = process.awaitExit(LIMIT);
            assertThat(status).as(process.output().toString()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"events", "known_names"})
    void exportContinues(String table) throws Exception {
        String to = here.archive().toString();
        kill(here, "lock table " + table + " in access exclusive mode", "export", "--to", to);
        Path first = here.archive().resolve("threads/000001-1.jsonl");
        boolean done = Files.exists(first);
        assertThat(done).isEqualTo(!table.equals("events"));
        assertThat(unfinished()).isNotEmpty();
        FileTime written = done ? Files.getLastModifiedTime(first) : FileTime.fromMillis(0);
        run(here, "export", "--to", to);
        assertThat(unfinished()).isEmpty();
        assertThat(!done || Files.getLastModifiedTime(first).equals(written)).isTrue();
        assertThat(there.importFrom(here.archive())).as(there.output()).isTrue();
        assertThat(there.digests()).isEqualTo(here.digests());
    }

    private List<Path> unfinished() throws IOException {
        try (Stream<Path> files = Files.walk(here.archive())) {
            return files.filter(file -> file.toString().endsWith(".part")).toList();
        }
    }

    @Test
    void importContinues() throws Exception {
        assertThat(here.export()).isTrue();
        String from = here.archive().toString();
        kill(there, "lock table known_names in share mode", "import", "--from", from);
        assertThat(there.select("select files from imports")).isEqualTo("1");
        assertThat(there.select("select count(*) from entries")).isEqualTo("60");
        assertThatThrownBy(() -> Import.requireNoneUnfinished(there.address()))
                .as("a partial database would pass for the whole")
                .isInstanceOf(ArchiveRefused.class)
                .hasMessageContaining("not finished");
        run(there, "import", "--from", from);
        Import.requireNoneUnfinished(there.address());
        assertThat(there.digests()).isEqualTo(here.digests());
        assertThat(there.select("select count(*) from imports where finished_at is not null"))
                .isEqualTo("1");
    }
}
