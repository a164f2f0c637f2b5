package dev.parley.bench.prove;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testkit.TestDatabase;
import dev.parley.testkit.TestPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlushProofTest {
    @Test
    void acknowledgedMessagesAreOnDisk(@TempDir Path folder) throws SQLException {
        LogFinding finding = FlushProof.run(folder.resolve("data"), 100);
        assertThat(finding.violations()).isEmpty();
        assertThat(finding.acknowledged()).isEqualTo(100);
    }

    @Test
    void commitsThatDoNotWaitForTheirFlushAreFound() throws SQLException {
        assertThat(convincedBy("off")).isFalse();
    }

    @Test
    void commitsThatWaitForTheirFlushAreBelieved() throws SQLException {
        assertThat(convincedBy("on")).isTrue();
    }

    private static boolean convincedBy(String synchronousCommit) throws SQLException {
        try (TestDatabase database = TestPostgres.shared().emptyDatabase();
                Connection connection = database.address().connect();
                Statement statement = connection.createStatement();
                FlushWatch watch = new FlushWatch(connection)) {
            statement.execute("create table written (n int)");
            statement.execute("set synchronous_commit = " + synchronousCommit);
            for (int i = 0; i < 100; i++) {
                statement.execute("insert into written values (1)");
                watch.check();
            }
            return watch.convinced();
        }
    }
}
