package dev.parley.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parley.testkit.TestDatabase;
import dev.parley.testkit.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes of several versions start and work on one schema. */
class MigrationsTest {
    private static final String WRITE = "update threads set thread_id = thread_id";

    private final TestDatabase scratch = TestPostgres.shared().emptyDatabase();
    private final DatabaseAddress address = new DatabaseAddress(
            scratch.address().jdbcUrl(),
            scratch.address().user(),
            scratch.address().password());

    @AfterEach
    void drop() {
        scratch.close();
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = address.toDataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void migrateTo(String version) {
        Flyway.configure()
                .dataSource(address.toDataSource())
                .locations("classpath:db/migration")
                .target(version)
                // Flyway's own lock would block concurrent index builds.
                .configuration(Map.of("flyway.postgresql.transactional.lock", "false"))
                .load()
                .migrate();
    }

    private List<String> versions() throws SQLException {
        return list("select version from flyway_schema_history where success order by installed_rank");
    }

    private List<String> list(String query) throws SQLException {
        try (Connection connection = address.toDataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        }
    }

    @Test
    void nodesThatStartAtTheSameMomentMigrateOnce() throws Exception {
        List<CompletableFuture<Void>> starts = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            starts.add(
                    CompletableFuture.runAsync(() -> Database.open(address, 1).close()));
        }
        CompletableFuture.allOf(starts.toArray(CompletableFuture[]::new)).get(120, TimeUnit.SECONDS);
        assertThat(versions()).doesNotHaveDuplicates().startsWith("1", "2").contains("10");
    }

    @Test
    void threadsThatHaveBegun_doNotReadTheirHistory() throws Exception {
        migrateTo("15");
        execute(
                "insert into bindings (source, workspace, place, channel, external_thread, thread_id, agent, created_at)"
                        + " select 'slack', '', 'channel', name, '1', id, 'agent:a', now() from (values"
                        + " ('begun', '00000000-0000-7000-8000-000000000001'::uuid),"
                        + " ('new', '00000000-0000-7000-8000-000000000002'::uuid)) as given (name, id)");
        execute("insert into entries (thread_id, seq, position, id, kind, author, role, content, created_at, digest)"
                + " values ('00000000-0000-7000-8000-000000000001', 1, 1, 'm', 0, 'user:a', 'user', 'hi', now(), '')");

        Database.open(address, 1).close();

        assertThat(list("select channel from bindings where history_read_at is not null"))
                .containsExactly("begun");
    }

    @Test
    void anOldNodeStartsOnANewerSchema() throws Exception {
        Database.open(address, 1).close();
        execute("alter table nodes add column from_the_future text");
        execute("insert into flyway_schema_history (installed_rank, version, description, type, script, checksum,"
                + " installed_by, execution_time, success) select max(installed_rank) + 1, '999', 'future', 'SQL',"
                + " 'V999__future.sql', 1, current_user, 1, true from flyway_schema_history");
        try (Database database = Database.open(address, 1)) {
            assertThat(database.<Integer>read(handle -> handle.createQuery("select count(*) from nodes")
                            .mapTo(Integer.class)
                            .one()))
                    .isZero();
        }
        assertThat(versions()).endsWith("999");
    }

    /** Appends of older nodes go on while a newer node builds its indexes, even if the build has to wait long. */
    @Test
    void anIndexIsBuiltWithoutBlockingWriters() throws Exception {
        migrateTo("12");
        try (Connection writer = address.toDataSource().getConnection();
                Statement statement = writer.createStatement()) {
            writer.setAutoCommit(false);
            statement.execute(WRITE);
            List<CompletableFuture<Void>> starts = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                starts.add(CompletableFuture.runAsync(Migrations.of(address.toDataSource())::run));
            }
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> !list("select 1 from pg_stat_activity where datname = current_database()"
                                    + " and wait_event_type = 'Lock' and query like 'create index concurrently%'")
                            .isEmpty());
            execute("set lock_timeout = '5s'; " + WRITE);
            assertThat(starts).noneMatch(CompletableFuture::isDone);
            writer.commit();
            await().atMost(Duration.ofSeconds(60)).until(() -> starts.stream().allMatch(CompletableFuture::isDone));
            starts.forEach(CompletableFuture::join);
        }
        assertThat(versions()).doesNotHaveDuplicates().contains("13");
    }

    @Test
    void aBrokenOffIndexIsBuiltAgain() throws Exception {
        migrateTo("12");
        execute("create index run_contexts_by_time on run_contexts (created_at)");
        execute("insert into flyway_schema_history (installed_rank, version, description, type, script, checksum,"
                + " installed_by, execution_time, success) select max(installed_rank) + 1, '13', 'indexes', 'SQL',"
                + " 'V13__indexes.sql', 1, current_user, 1, false from flyway_schema_history");
        Database.open(address, 1).close();
        assertThat(versions()).contains("13");
        assertThat(list("select indexrelid::regclass::text from pg_index where not indisvalid"))
                .isEmpty();
    }

    @Test
    void aMigrationGivesWayToUsersOfItsTable() throws Exception {
        migrateTo("9");
        try (Connection reader = address.toDataSource().getConnection();
                Statement statement = reader.createStatement()) {
            reader.setAutoCommit(false);
            statement.execute("select * from nodes");
            Migrations impatient =
                    Migrations.of(address.toDataSource(), Duration.ofMillis(50), Duration.ofMillis(10), 2);
            assertThatThrownBy(impatient::run).isInstanceOf(FlywayException.class);
            assertThat(versions()).endsWith("9");
            CompletableFuture<Void> patient = CompletableFuture.runAsync(
                    Migrations.of(address.toDataSource(), Duration.ofMillis(50), Duration.ofMillis(50), 2_000)::run);
            // Statements that arrive while the migration waits for the reader do not wait for the migration.
            for (int i = 0; i < 20; i++) {
                execute("set statement_timeout = '5s'; select * from nodes");
            }
            assertThat(patient).isNotDone();
            reader.rollback();
            await().atMost(Duration.ofSeconds(60)).until(patient::isDone);
            patient.join();
        }
        assertThat(versions()).contains("10");
    }
}
