package dev.parley.storage;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.ColonPrefixSqlParser;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.SqlStatements;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The access to the one PostgreSQL: a pool for reads and short transactions, and separate connections for the lanes.
 * {@code ConnectionTurns} guard the pool, because HikariCP alone starves some of many virtual threads and cannot
 * distinguish callers.
 */
public final class Database implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Database.class);
    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration BORROW_LIMIT = Duration.ofSeconds(5);

    /** Shared by all databases of the process, because the parser caches parsed statements. */
    private static final SqlParser PARSER = new ColonPrefixSqlParser();

    private final PGSimpleDataSource source;
    private final HikariDataSource pool;
    private final Jdbi jdbi;
    private final ConnectionTurns turns;
    private final int poolSize;
    private volatile boolean closed;

    private Database(PGSimpleDataSource source, HikariDataSource pool, int poolSize) {
        this.source = source;
        this.pool = pool;
        this.jdbi = Jdbi.create(pool);
        jdbi.getConfig(SqlStatements.class).setSqlParser(PARSER);
        this.turns = new ConnectionTurns(poolSize);
        this.poolSize = poolSize;
    }

    public static Database open(DatabaseAddress address, int poolSize) {
        return open(address, poolSize, LOCK_TIMEOUT);
    }

    /**
     * Connects, checks the server's version and durability, and brings the schema up to date.
     *
     * @param lockTimeout time that a statement waits for a lock; a statement may take twice as long
     */
    public static Database open(DatabaseAddress address, int poolSize, Duration lockTimeout) {
        PGSimpleDataSource source = address.forRequests();
        Startup.requireUsable(source, address);
        Startup.migrate(address.toDataSource());
        HikariConfig config = new HikariConfig();
        config.setDataSource(source);
        config.setPoolName("parley");
        config.setMaximumPoolSize(poolSize);
        config.setMinimumIdle(Math.min(2, poolSize));
        config.setConnectionTimeout(BORROW_LIMIT.toMillis());
        config.setInitializationFailTimeout(-1);
        // A generic plan is enough for every statement, and planning takes longer than most statements run.
        config.setConnectionInitSql("""
                set default_transaction_isolation = 'read committed';
                set statement_timeout = %d;
                set lock_timeout = %d;
                set idle_in_transaction_session_timeout = '30s';
                set plan_cache_mode = force_generic_plan""".formatted(2 * lockTimeout.toMillis(), lockTimeout.toMillis()));
        return new Database(source, new HikariDataSource(config), poolSize);
    }

    /** Points all new connections at a PostgreSQL that came back on another port. */
    public void moveTo(int port) {
        source.setPortNumbers(new int[] {port});
        pool.getHikariPoolMXBean().softEvictConnections();
    }

    /** The size of the connection pool. */
    public int poolSize() {
        return poolSize;
    }

    /** The connections in use. */
    public int connectionsInUse() {
        return turns.inUse();
    }

    /** The approximate number of callers that wait for a connection. */
    public int waitingForConnection() {
        return turns.waiting();
    }

    /** Reads with autocommit. */
    public <T> T read(Work<T> work) {
        return borrow(() -> jdbi.withHandle(work::with));
    }

    /** Writes with autocommit, which saves the round trip of a commit. */
    public <T> T once(Work<T> work) {
        return read(work);
    }

    /** Runs in one READ COMMITTED transaction. */
    public <T> T transact(Work<T> work) {
        return borrow(() -> jdbi.inTransaction(work::with));
    }

    /** A connection outside the pool for long work; the caller closes it. */
    public Connection connect() throws SQLException {
        return source.getConnection();
    }

    private <T> T borrow(Supplier<T> work) {
        try {
            if (!turns.take(BORROW_LIMIT)) {
                throw new ProblemException(Problem.OVERLOADED, "No database connection became free in time.");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw stopping();
        }
        try {
            if (closed) {
                throw stopping();
            }
            return work.get();
        } catch (JdbiException | UncheckedIOException | IllegalStateException error) {
            throw translate(error);
        } finally {
            turns.giveBack();
        }
    }

    private static ProblemException stopping() {
        return new ProblemException(Problem.SHUTTING_DOWN, "The server is stopping.");
    }

    private static RuntimeException translate(RuntimeException error) {
        SQLException sql = SqlState.find(error);
        if (sql == null) {
            return error;
        }
        return switch (SqlState.of(sql)) {
            case UNAVAILABLE, CONTENTION, SLOW ->
                new ProblemException(Problem.DATABASE_UNAVAILABLE, "The database does not answer right now.");
            case POISON, BUG -> error;
        };
    }

    /** Waits within limits for work in progress, because closing the pool breaks connections in use. */
    @Override
    public void close() {
        closed = true;
        try {
            if (!turns.awaitAllFree(BORROW_LIMIT)) {
                LOG.debug("Work did not finish in time; closing the connection pool anyway");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        pool.close();
        // Waiting callers get an error.
        turns.close();
    }

    /** Work on a connection of the pool. */
    public interface Work<T> {
        T with(Handle handle);
    }
}
