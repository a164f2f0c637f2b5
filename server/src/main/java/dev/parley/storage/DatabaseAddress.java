package dev.parley.storage;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** Where the database is and how to sign in to it. */
public record DatabaseAddress(
        String jdbcUrl, @Nullable String user, @Nullable String password) {
    /** How long a server may say nothing: more than any statement may take. */
    private static final int SOCKET_TIMEOUT_SECONDS = 12;

    /** For requests: a hung server is noticed. */
    PGSimpleDataSource forRequests() {
        PGSimpleDataSource source = toDataSource();
        source.setSocketTimeout(SOCKET_TIMEOUT_SECONDS);
        return source;
    }

    /** For migrations, which may take as long as they need. */
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

    /** A connection of its own, for a command that takes as long as it needs: the caller closes it. */
    public Connection connect() {
        try {
            return toDataSource().getConnection();
        } catch (SQLException error) {
            throw new DatabaseUnavailable(
                    "The database at " + this + " cannot be reached: " + error.getMessage(), error);
        }
    }

    /** Host, port and database, without anything secret. */
    @Override
    public String toString() {
        int query = jdbcUrl.indexOf('?');
        return query < 0 ? jdbcUrl : jdbcUrl.substring(0, query);
    }
}
