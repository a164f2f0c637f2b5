package dev.parley.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A command finds the PostgreSQL that runs on a data folder, and only while it runs. */
class RunningPostgresTest {
    @RegisterExtension
    final PostgresFolder folder = new PostgresFolder();

    @Test
    void runningPostgresIsFoundAndTakesConnections() throws Exception {
        assertThat(RunningPostgres.find(folder.path())).isEmpty();
        assertThat(RunningPostgres.isIn(folder.path())).isFalse();
        try (EmbeddedPostgres postgres = folder.start()) {
            RunningPostgres found = RunningPostgres.find(folder.path()).orElseThrow();
            assertThat(found.port()).isEqualTo(postgres.port());
            assertThat(found.toString()).doesNotContain(found.password());
            try (Connection connection =
                    DriverManager.getConnection(found.jdbcUrl("postgres"), found.user(), found.password())) {
                assertThat(connection.isValid(10)).isTrue();
            }
            // The first search must not have taken the folder's lock from its holder.
            assertThat(RunningPostgres.find(folder.path())).isPresent();
        }
        assertThat(RunningPostgres.find(folder.path())).isEmpty();
        assertThat(RunningPostgres.isIn(folder.path())).isTrue();
        // The search must not have locked the free folder.
        folder.start().close();
    }
}
