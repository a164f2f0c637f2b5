package dev.parley.bench.prove;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bench.TestServer;
import dev.parley.bench.rig.Accounts;
import dev.parley.protocol.ThreadId;
import dev.parley.testkit.history.Verdict;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The proofs must be able to fail: tampering with the log is found. */
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
        try (TestServer server = new TestServer(folder, accounts)) {
            List<ThreadId> threads = accounts.makeThreads(server.uri(), 2);
            List<Callers> users = Callers.of(accounts.users(), List.of(server.uri()), LIMIT);
            try (Crowd crowd = new Crowd(users, threads, SIZE, 1);
                    Connection connection = server.connect();
                    Statement statement = connection.createStatement()) {
                crowd.start();
                assertThat(crowd.acknowledgements().awaitCount(200, LIMIT)).isTrue();
                crowd.stopWriting();
                statement.execute(tampering);
                return crowd.finish(server.uri());
            } finally {
                users.forEach(Callers::close);
            }
        }
    }
}
