package dev.parley.storage;

import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** Where the database is and how to sign in to it. */
public record DatabaseAddress(
        String jdbcUrl, @Nullable String user, @Nullable String password) {
    /** A hung server is noticed: longer than any statement may take, shorter than a caller's patience. */
    private static final int SOCKET_TIMEOUT_SECONDS = 30;

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
        source.setSocketTimeout(SOCKET_TIMEOUT_SECONDS);
        source.setTcpKeepAlive(true);
        source.setReWriteBatchedInserts(false);
        return source;
    }

    /** Host, port and database, without anything secret. */
    @Override
    public String toString() {
        int query = jdbcUrl.indexOf('?');
        return query < 0 ? jdbcUrl : jdbcUrl.substring(0, query);
    }
}
