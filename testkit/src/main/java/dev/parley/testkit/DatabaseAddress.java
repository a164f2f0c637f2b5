package dev.parley.testkit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** The URL of a database with the user and password to connect. */
public record DatabaseAddress(String jdbcUrl, String user, String password) {
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbcUrl, user, password);
    }

    @Override
    public String toString() {
        return jdbcUrl;
    }
}
