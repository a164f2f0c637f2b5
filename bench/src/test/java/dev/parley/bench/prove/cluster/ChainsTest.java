package dev.parley.bench.prove.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.bench.TestServer;
import dev.parley.bench.rig.Accounts;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.sdk.Parley;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tampering with the log is found in the database. */
class ChainsTest {
    @TempDir
    private Path folder;

    @Test
    void changedRemovedOrDoubledEntriesAreFound() throws SQLException {
        Accounts accounts = new Accounts(1);
        try (TestServer server = new TestServer(folder, accounts);
                Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            write(server.uri(), accounts);
            Chains.Checked clean = Chains.check(connection);
            assertThat(clean.violations()).isEmpty();
            assertThat(clean.entries()).isEqualTo(6);
            for (String tampering : List.of(
                    "update entries set content = 'forged' where seq = 2",
                    "update entries set digest = sha256(digest) where seq = 2",
                    "delete from entries where seq = 2",
                    "delete from entries where seq = 3",
                    "update entries set client_message_id = 'key-1' where seq = 2",
                    "update entries set position = 1 where seq = 3")) {
                assertThat(violationsAfter(connection, statement, tampering))
                        .as(tampering)
                        .isNotEmpty();
            }
            assertThat(Chains.check(connection).violations()).isEmpty();
        }
    }

    /** The check itself ends with a rollback, which reverts the tampering. */
    private static List<String> violationsAfter(Connection connection, Statement statement, String tampering)
            throws SQLException {
        connection.setAutoCommit(false);
        statement.execute(tampering);
        return Chains.check(connection).violations();
    }

    private static void write(URI server, Accounts accounts) {
        try (Parley client = accounts.users().getFirst().connect(server)) {
            for (ThreadId thread : accounts.makeThreads(server, 2)) {
                for (int i = 1; i <= 3; i++) {
                    client.thread(thread).post(NewMessage.keyed("帮我查 " + i, "key-" + i));
                }
            }
        }
    }
}
