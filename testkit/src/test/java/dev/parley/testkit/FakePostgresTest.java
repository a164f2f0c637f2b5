package dev.parley.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FakePostgresTest {
    @ParameterizedTest
    @ValueSource(strings = {"simple", "extended"})
    void theRealDriverSignsInAndIsToldTheSettings(String queryMode) throws Exception {
        try (FakePostgres postgres = FakePostgres.with(Map.of("server_version", "14.9", "fsync", "off"));
                Connection connection = connect(postgres, queryMode);
                Statement statement = connection.createStatement()) {
            assertThat(connection.getMetaData().getDatabaseMajorVersion()).isEqualTo(14);
            assertThat(show(statement, "fsync")).isEqualTo("off");
            assertThat(show(statement, "server_encoding")).isEqualTo("UTF8");
            assertThat(statement.execute("set work_mem = '1MB'")).isFalse();
        }
    }

    @Test
    void severalMayConnectAndAllAreCutOffInTheEnd() throws Exception {
        try (FakePostgres postgres = FakePostgres.with(Map.of());
                Connection one = connect(postgres, "extended");
                Connection two = connect(postgres, "extended");
                Statement first = one.createStatement();
                Statement second = two.createStatement()) {
            assertThat(show(first, "fsync")).isEqualTo(show(second, "fsync")).isEqualTo("on");
            postgres.close();
            assertThatThrownBy(() -> show(first, "fsync")).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> connect(postgres, "extended").close()).isInstanceOf(SQLException.class);
        }
    }

    private static Connection connect(FakePostgres postgres, String queryMode) throws SQLException {
        return DriverManager.getConnection(
                postgres.jdbcUrl() + "?socketTimeout=10&preferQueryMode=" + queryMode, "anybody", "anything");
    }

    private static String show(Statement statement, String setting) throws SQLException {
        try (ResultSet row = statement.executeQuery("show " + setting)) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }
}
