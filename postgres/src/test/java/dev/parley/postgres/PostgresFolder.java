package dev.parley.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A fresh data folder per test; after the test no process may run on it. */
final class PostgresFolder implements BeforeEachCallback, AfterEachCallback {
    static final Path BINARIES = Path.of("target", "postgres-binaries").toAbsolutePath();
    static final Duration LIMIT = Duration.ofSeconds(60);

    private @Nullable Path parent;

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        parent = Files.createTempDirectory("parley-postgres").toRealPath();
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        DataFolder folder = new DataFolder(path());
        try {
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(Orphans.runningOn(folder)).isEmpty());
        } finally {
            Orphans.runningOn(folder).forEach(ProcessHandle::destroyForcibly);
            Folders.delete(parent());
        }
    }

    Path parent() {
        if (parent == null) {
            throw new IllegalStateException("no test is running");
        }
        return parent;
    }

    Path path() {
        return parent().resolve("data");
    }

    Path cluster() {
        return new DataFolder(path()).cluster();
    }

    EmbeddedPostgres.Settings settings() {
        return EmbeddedPostgres.Settings.of(path(), BINARIES);
    }

    EmbeddedPostgres start() {
        return EmbeddedPostgres.start(settings());
    }

    static Connection connect(EmbeddedPostgres postgres) throws SQLException {
        return DriverManager.getConnection(postgres.jdbcUrl("postgres"), postgres.user(), postgres.password());
    }

    static void execute(EmbeddedPostgres postgres, String sql) throws SQLException {
        try (Connection connection = connect(postgres);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static String query(EmbeddedPostgres postgres, String sql) throws SQLException {
        try (Connection connection = connect(postgres);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }
}
