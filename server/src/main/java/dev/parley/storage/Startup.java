package dev.parley.storage;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.flywaydb.core.api.FlywayException;

/** Checks that PostgreSQL is recent, durable and has Parley's schema before the first request. */
final class Startup {
    private static final int OLDEST_MAJOR = 15;

    private Startup() {}

    static void requireUsable(DataSource source, DatabaseAddress address) {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            int major = connection.getMetaData().getDatabaseMajorVersion();
            if (major < OLDEST_MAJOR) {
                throw new DatabaseUnavailable("The database at " + address + " is PostgreSQL " + major
                        + "; Parley needs PostgreSQL " + OLDEST_MAJOR + " or newer.");
            }
            requireOn(statement, "fsync", address);
            requireOn(statement, "full_page_writes", address);
            if ("off".equals(show(statement, "synchronous_commit"))) {
                throw new DatabaseUnavailable("The database at " + address
                        + " has synchronous_commit = off; an acknowledged message could be lost, so Parley"
                        + " does not start on it.");
            }
            if (!"UTF8".equals(show(statement, "server_encoding"))) {
                throw new DatabaseUnavailable("The database at " + address + " is not encoded in UTF8.");
            }
        } catch (SQLException error) {
            throw new DatabaseUnavailable(
                    "The database at " + address + " cannot be reached: " + firstLine(error) + ".", error);
        }
    }

    static void migrate(DataSource source) {
        try {
            Migrations.of(source).run();
        } catch (FlywayException error) {
            SQLException sql = SqlState.find(error);
            throw new DatabaseUnavailable(
                    "The database schema cannot be brought up to date: " + firstLine(error)
                            + (sql == null ? "" : " (" + firstLine(sql) + ")") + ".",
                    error);
        }
    }

    private static void requireOn(Statement statement, String setting, DatabaseAddress address) throws SQLException {
        if (!"on".equals(show(statement, setting))) {
            throw new DatabaseUnavailable("The database at " + address + " has " + setting
                    + " = off; a crash could lose acknowledged messages, so Parley does not start on it.");
        }
    }

    private static String show(Statement statement, String setting) throws SQLException {
        try (ResultSet row = statement.executeQuery("show " + setting)) {
            row.next();
            return row.getString(1);
        }
    }

    private static String firstLine(Exception error) {
        String line =
                String.valueOf(error.getMessage()).strip().lines().findFirst().orElse("no reason given");
        return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
    }
}
