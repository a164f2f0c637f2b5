package dev.parley.bench.prove;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.app.Server;
import dev.parley.app.config.Config;
import dev.parley.bench.rig.Accounts;
import dev.parley.protocol.ThreadId;
import dev.parley.testkit.DatabaseAddress;
import dev.parley.testkit.TestDatabase;
import dev.parley.testkit.TestPostgres;
import dev.parley.testkit.history.Verdict;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The proofs must be able to fail: what is done to the log behind the server's back is found. */
class CrowdTest {
    private static final Crowd.Size SIZE = new Crowd.Size(4, 3);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    private Path folder;

    @Test
    void anUntouchedLogIsClean() throws SQLException, InterruptedException {
        Verdict verdict = verdictAfter("select 1");
        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.acknowledged()).isGreaterThanOrEqualTo(200);
    }

    @Test
    void aMissingMessageIsFound() throws SQLException, InterruptedException {
        assertThat(verdictAfter("delete from entries where seq = 20").lost()).isPositive();
    }

    @Test
    void aChangedMessageIsFound() throws SQLException, InterruptedException {
        Verdict verdict = verdictAfter("update entries set content = 'something else' where seq = 20");
        assertThat(verdict.violations()).isNotEmpty();
    }

    @Test
    void messagesInAnotherOrderAreFound() throws SQLException, InterruptedException {
        Verdict verdict = verdictAfter("""
                update entries set seq = -seq where seq in (20, 21);
                update entries set seq = 41 + seq where seq < 0
                """);
        assertThat(verdict.reordered()).isPositive();
    }

    private Verdict verdictAfter(String tampering) throws SQLException, InterruptedException {
        Accounts accounts = new Accounts(SIZE.users());
        try (TestDatabase database = TestPostgres.shared().emptyDatabase();
                Server server = start(accounts, database.address())) {
            URI uri = URI.create(server.url());
            List<ThreadId> threads = accounts.makeThreads(uri, 2);
            try (Crowd crowd = new Crowd(uri, accounts.users(), threads, SIZE, 1)) {
                crowd.start();
                assertThat(crowd.acknowledgements().awaitCount(200, LIMIT)).isTrue();
                crowd.stopWriting();
                execute(database.address(), tampering);
                return crowd.finish(uri);
            }
        }
    }

    private Server start(Accounts accounts, DatabaseAddress database) {
        Map<String, String> environment = new HashMap<>(accounts.environment());
        environment.put("PARLEY_DATABASE_PASSWORD", database.password());
        return Server.start(Config.load(
                List.of(
                        "--port",
                        "0",
                        "--data",
                        folder.toString(),
                        "--rate-limits",
                        "off",
                        "--database-url",
                        database.jdbcUrl(),
                        "--database-user",
                        database.user()),
                environment));
    }

    private static void execute(DatabaseAddress database, String sql) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
