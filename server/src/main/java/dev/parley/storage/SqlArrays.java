package dev.parley.storage;

import java.nio.ByteBuffer;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.Oid;
import org.postgresql.jdbc.PgArray;

/**
 * Binds the array parameters of a statement, one after the other: one array per column. The arrays are typed, since the
 * driver sends only typed arrays in binary. Parsing text arrays would take a tenth of PostgreSQL's time for an append.
 */
public final class SqlArrays {
    private final Connection connection;
    private final PreparedStatement statement;
    private int next;

    public SqlArrays(Connection connection, PreparedStatement statement) {
        this(connection, statement, 1);
    }

    /** @param first the number of the first array parameter */
    public SqlArrays(Connection connection, PreparedStatement statement, int first) {
        this.connection = connection;
        this.statement = statement;
        this.next = first;
    }

    public <T> SqlArrays uuids(Collection<T> rows, Function<T, @Nullable UUID> column) throws SQLException {
        return bind(uuidArray(column(rows, new UUID[rows.size()], column)));
    }

    public <T> SqlArrays texts(Collection<T> rows, Function<T, @Nullable String> column) throws SQLException {
        return bind(connection.createArrayOf("text", column(rows, new String[rows.size()], column)));
    }

    public <T> SqlArrays longs(Collection<T> rows, Function<T, @Nullable Long> column) throws SQLException {
        return bind(connection.createArrayOf("int8", column(rows, new Long[rows.size()], column)));
    }

    public <T> SqlArrays integers(Collection<T> rows, Function<T, @Nullable Integer> column) throws SQLException {
        return bind(connection.createArrayOf("int4", column(rows, new Integer[rows.size()], column)));
    }

    public <T> SqlArrays shorts(Collection<T> rows, Function<T, @Nullable Short> column) throws SQLException {
        return bind(connection.createArrayOf("int2", column(rows, new Short[rows.size()], column)));
    }

    public <T> SqlArrays bytes(Collection<T> rows, Function<T, byte @Nullable []> column) throws SQLException {
        return bind(connection.createArrayOf("bytea", column(rows, new byte[rows.size()][], column)));
    }

    /** Binds single values, a column each. */
    public SqlArrays values(@Nullable Object... values) throws SQLException {
        for (Object value : values) {
            statement.setObject(next++, value);
        }
        return this;
    }

    private SqlArrays bind(Array array) throws SQLException {
        statement.setArray(next++, array);
        return this;
    }

    private static <T, C> @Nullable C[] column(
            Collection<T> rows, @Nullable C[] values, Function<T, ? extends @Nullable C> column) {
        int i = 0;
        for (T row : rows) {
            values[i++] = column.apply(row);
        }
        return values;
    }

    /**
     * The binary form of a UUID array, which the driver lacks: dimensions, null flag, type, length, lower bound,
     * elements.
     */
    private Array uuidArray(@Nullable UUID[] values) throws SQLException {
        ByteBuffer bytes = ByteBuffer.allocate(20 + 20 * values.length);
        boolean nulls = false;
        bytes.putInt(values.length == 0 ? 0 : 1).putInt(0).putInt(Oid.UUID);
        if (values.length > 0) {
            bytes.putInt(values.length).putInt(1);
        }
        for (UUID value : values) {
            if (value == null) {
                nulls = true;
                bytes.putInt(-1);
            } else {
                bytes.putInt(Long.BYTES * 2)
                        .putLong(value.getMostSignificantBits())
                        .putLong(value.getLeastSignificantBits());
            }
        }
        byte[] written = new byte[bytes.position()];
        bytes.putInt(Integer.BYTES, nulls ? 1 : 0).flip().get(written);
        return new PgArray(connection.unwrap(BaseConnection.class), Oid.UUID_ARRAY, written);
    }
}
