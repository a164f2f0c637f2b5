package dev.parley.postgres;

import static dev.parley.postgres.PostgresFolder.execute;
import static dev.parley.postgres.PostgresFolder.query;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A PostgreSQL is started, used, stopped, killed and started again. */
class EmbeddedPostgresTest {
    @RegisterExtension
    final PostgresFolder folder = new PostgresFolder();

    @Test
    void firstStartMakesAClusterWithChecksumsAndBuiltinLocale() throws Exception {
        try (EmbeddedPostgres postgres = folder.start()) {
            assertThat(query(postgres, "show data_checksums")).isEqualTo("on");
            assertThat(query(postgres, "show fsync")).isEqualTo("on");
            assertThat(query(postgres, "show listen_addresses")).isEqualTo("127.0.0.1");
            assertThat(query(
                            postgres,
                            "select datlocprovider::text || datlocale from pg_database where datname = 'postgres'"))
                    .isEqualTo("bC.UTF-8");
            assertThat(query(postgres, "show log_timezone")).isEqualTo("UTC");
        }
    }

    @Test
    void passwordIsNeededAndReadableForTheOwnerOnly() throws Exception {
        try (EmbeddedPostgres postgres = folder.start()) {
            assertThatThrownBy(() -> DriverManager.getConnection(postgres.jdbcUrl("postgres"), postgres.user(), "wrong")
                            .close())
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("28P01"));
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(folder.path().resolve("password"))))
                    .isEqualTo("rw-------");
            assertThat(query(postgres, "select count(*) from pg_hba_file_rules where auth_method <> 'scram-sha-256'"))
                    .isEqualTo("0");
        }
    }

    @Test
    void noSocketFileIsMade() {
        try (EmbeddedPostgres postgres = folder.start()) {
            assertThat(Path.of("/tmp/.s.PGSQL." + postgres.port())).doesNotExist();
            assertThat(folder.cluster().resolve(".s.PGSQL." + postgres.port())).doesNotExist();
        }
    }

    @Test
    void secondStartFindsTheRows() throws Exception {
        long first;
        try (EmbeddedPostgres postgres = folder.start()) {
            first = postgres.pid();
            execute(postgres, "create table notes as select 42 as note");
        }
        assertThat(ProcessHandle.of(first).filter(ProcessHandle::isAlive)).isEmpty();
        try (EmbeddedPostgres postgres = folder.start()) {
            assertThat(query(postgres, "select note from notes")).isEqualTo("42");
        }
    }

    @Test
    void closeDoesNotWaitForOpenConnections() throws Exception {
        EmbeddedPostgres postgres = folder.start();
        try (var connection = PostgresFolder.connect(postgres)) {
            postgres.close();
            assertThat(postgres.running()).isFalse();
            assertThatThrownBy(() -> connection.createStatement().execute("select 1"))
                    .isInstanceOf(SQLException.class);
        }
        assertThat(Files.readString(folder.path().resolve("postgres.log"))).contains("database system is shut down");
        postgres.close();
        assertThatThrownBy(postgres::restart).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void committedRowsSurviveKillAndRestartOnTheSamePort() throws Exception {
        AtomicInteger exits = new AtomicInteger();
        try (EmbeddedPostgres postgres = folder.start()) {
            postgres.onExit(exits::incrementAndGet);
            execute(postgres, "create table notes (note int)");
            for (int round = 1; round <= 3; round++) {
                int expected = round;
                int port = postgres.port();
                execute(postgres, "insert into notes values (" + round + ")");
                Signal.KILL.send(postgres.pid());
                await().atMost(PostgresFolder.LIMIT).until(() -> exits.get() == expected);
                assertThat(postgres.running()).isFalse();
                postgres.restart();
                assertThat(postgres.port()).isEqualTo(port);
                assertThat(query(postgres, "select count(*) from notes")).isEqualTo(Integer.toString(round));
            }
            long pid = postgres.pid();
            postgres.restart();
            assertThat(postgres.pid()).as("a running server is left alone").isEqualTo(pid);
        }
        assertThat(exits).as("close is no unexpected end").hasValue(3);
    }

    @Test
    void restartTakesAnotherPortWhenItsOwnIsTaken() throws Exception {
        try (EmbeddedPostgres postgres = folder.start()) {
            int port = postgres.port();
            Signal.INT.send(postgres.pid());
            await().atMost(PostgresFolder.LIMIT).until(() -> !postgres.running());
            try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
                postgres.restart();
                assertThat(postgres.port()).isNotEqualTo(port);
                assertThat(query(postgres, "select 1")).isEqualTo("1");
            }
        }
    }

    @Test
    void databasesAreMadeOnce() throws Exception {
        try (EmbeddedPostgres postgres = folder.start()) {
            postgres.createDatabaseIfMissing("Odd \"name\"/1");
            postgres.createDatabaseIfMissing("Odd \"name\"/1");
            try (var connection = DriverManager.getConnection(
                    postgres.jdbcUrl("Odd \"name\"/1"), postgres.user(), postgres.password())) {
                assertThat(connection.getCatalog()).isEqualTo("Odd \"name\"/1");
            }
        }
    }

    @Test
    void postgresHasASessionOfItsOwn() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/stat")), "sessions are read from /proc");
        try (EmbeddedPostgres postgres = folder.start()) {
            String stat = Files.readString(Path.of("/proc/" + postgres.pid() + "/stat"));
            String session = stat.substring(stat.lastIndexOf(')') + 2).split(" ")[3];
            assertThat(session).isEqualTo(Long.toString(postgres.pid()));
        }
    }

    @Test
    void aLongLogIsMovedAside() throws Exception {
        folder.start().close();
        Path log = folder.path().resolve("postgres.log");
        Files.write(log, new byte[11 * 1024 * 1024]);
        folder.start().close();
        assertThat(Files.size(log)).isLessThan(1024 * 1024);
        assertThat(folder.path().resolve("postgres.log.1")).hasSize(11 * 1024 * 1024);
    }
}
