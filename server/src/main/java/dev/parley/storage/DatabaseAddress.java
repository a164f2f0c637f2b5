package dev.parley.storage;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** The address of the database and its credentials. */
public record DatabaseAddress(
        String jdbcUrl, @Nullable String user, @Nullable String password) {
    /** The longest silence of the server; longer than any statement may take. */
    private static final int SOCKET_TIMEOUT_SECONDS = 12;

    /** A data source for requests, which notices a hung server. */
    PGSimpleDataSource forRequests() {
        PGSimpleDataSource source = toDataSource();
        source.setSocketTimeout(SOCKET_TIMEOUT_SECONDS);
        return source;
    }

    /** A data source for migrations, without a time limit. */
    PGSimpleDataSource toDataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        try {
            source.setUrl(jdbcUrl);
        } catch (IllegalArgumentException unreadable) {
            throw new DatabaseUnavailable(
                    "The database URL cannot be read; it looks like jdbc:postgresql://host:5432/name.", unreadable);
        }
        if (user != null) {
            source.setUser(user);
        }
        if (password != null) {
            source.setPassword(password);
        }
        source.setApplicationName("parley");
        source.setConnectTimeout(5);
        source.setLoginTimeout(5);
        source.setTcpKeepAlive(true);
        source.setReWriteBatchedInserts(false);
        return source;
    }

    /** A separate connection without a time limit, for a command; the caller closes it. */
    public Connection connect() {
        try {
            return toDataSource().getConnection();
        } catch (SQLException error) {
            throw new DatabaseUnavailable(
                    "The database at " + this + " cannot be reached: " + error.getMessage(), error);
        }
    }

    /** Host, port and database, without the credentials. */
    @Override
    public String toString() {
        int query = jdbcUrl.indexOf('?');
        return query < 0 ? jdbcUrl : jdbcUrl.substring(0, query);
    }
}
