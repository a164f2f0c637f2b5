package dev.parley.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TestPostgresTest {
    private final TestPostgres postgres = TestPostgres.shared();

    @Test
    void aTemplateIsPreparedOnceAndItsCopiesAreApart() throws Exception {
        AtomicInteger prepared = new AtomicInteger();
        List<Future<Integer>> rows = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4; i++) {
                rows.add(threads.submit(() -> {
                    TestPostgres.Template template = postgres.template("notes", address -> {
                        prepared.incrementAndGet();
                        execute(address, "create table notes (text text); insert into notes values ('first')");
                    });
                    try (TestDatabase database = postgres.freshDatabase(template)) {
                        execute(database.address(), "insert into notes values ('second')");
                        return count(database.address());
                    }
                }));
            }
        }
        for (Future<Integer> row : rows) {
            assertThat(row.get()).isEqualTo(2);
        }
        assertThat(prepared).hasValue(1);
    }

    @Test
    void aClosedDatabaseIsGoneDespiteConnections() throws Exception {
        TestDatabase database = postgres.emptyDatabase();
        DatabaseAddress address = database.address();
        try (Connection connection = connect(address)) {
            assertThat(connection.isValid(5)).isTrue();
            database.close();
        }
        assertThatThrownBy(() -> connect(address).close())
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("does not exist");
        assertThat(address).asString().doesNotContain(address.password());
    }

    @Test
    void connectingTakesThePasswordAndLittleHashing() throws Exception {
        try (TestDatabase database = postgres.emptyDatabase()) {
            DatabaseAddress address = database.address();
            assertThatThrownBy(() -> DriverManager.getConnection(address.jdbcUrl(), address.user(), "wrong")
                            .close())
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password authentication failed");
            try (Connection connection = connect(address);
                    Statement statement = connection.createStatement();
                    ResultSet row =
                            statement.executeQuery("select rolpassword from pg_authid where rolname = current_user")) {
                assertThat(row.next()).isTrue();
                assertThat(row.getString(1)).startsWith("SCRAM-SHA-256$1:");
            }
        }
    }

    private static int count(DatabaseAddress address) throws SQLException {
        try (Connection connection = connect(address);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from notes")) {
            assertThat(row.next()).isTrue();
            return row.getInt(1);
        }
    }

    private static void execute(DatabaseAddress address, String sql) {
        try (Connection connection = connect(address);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Connection connect(DatabaseAddress address) throws SQLException {
        return address.connect();
    }
}
