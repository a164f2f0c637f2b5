package dev.parley.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parley.testkit.FakePostgres;
import dev.parley.testkit.TestDatabase;
import dev.parley.testkit.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A database that would break Parley's promises is refused at the start, in one sentence. */
class StartupTest {
    @ParameterizedTest
    @CsvSource({
        "server_version, 14.9, is PostgreSQL 14; Parley needs PostgreSQL 15 or newer",
        "fsync, off, has fsync = off",
        "full_page_writes, off, has full_page_writes = off",
        "synchronous_commit, off, has synchronous_commit = off",
        "server_encoding, SQL_ASCII, is not encoded in UTF8"
    })
    void aServerThatCannotKeepPromisesIsRefused(String setting, String value, String reason) throws IOException {
        try (FakePostgres postgres = FakePostgres.with(Map.of(setting, value))) {
            assertThat(refusal(postgres.jdbcUrl() + "?connectTimeout=3&password=hidden"))
                    .isEqualTo("The database at " + postgres.jdbcUrl() + " " + rest(reason));
        }
    }

    private static String rest(String reason) {
        if (reason.startsWith("has synchronous_commit")) {
            return reason + "; an acknowledged message could be lost, so Parley does not start on it.";
        }
        return reason.startsWith("has ")
                ? reason + "; a crash could lose acknowledged messages, so Parley does not start on it."
                : reason + ".";
    }

    @Test
    void anUnreachableDatabaseIsNamedWithoutItsPassword() throws IOException {
        int closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        assertThat(refusal("jdbc:postgresql://127.0.0.1:" + closed + "/parley?password=hidden"))
                .startsWith("The database at jdbc:postgresql://127.0.0.1:" + closed + "/parley cannot be reached: ")
                .endsWith(".")
                .doesNotContain("hidden")
                .doesNotContain("\n");
    }

    @Test
    void anUnreadableAddressIsRefused() {
        assertThat(refusal("jdbc:mysql://127.0.0.1/parley")).startsWith("The database URL cannot be read");
    }

    @Test
    void aForeignSchemaIsLeftUnchanged() throws Exception {
        try (TestDatabase scratch = TestPostgres.shared().emptyDatabase()) {
            DatabaseAddress address = new DatabaseAddress(
                    scratch.address().jdbcUrl(),
                    scratch.address().user(),
                    scratch.address().password());
            try (Database database = Database.open(address, 1)) {
                database.transact(handle ->
                        handle.execute("update flyway_schema_history set checksum = checksum + 1 where version = '1'"));
            }
            assertThat(catchThrowableOfType(
                            DatabaseUnavailable.class,
                            () -> Database.open(address, 1).close()))
                    .hasMessageStartingWith("The database schema cannot be brought up to date: ");
        }
    }

    private static String refusal(String url) {
        DatabaseUnavailable refused = catchThrowableOfType(
                DatabaseUnavailable.class,
                () -> Database.open(new DatabaseAddress(url, "anybody", "anything"), 1)
                        .close());
        assertThat(refused).as("a refusal").isNotNull();
        return String.valueOf(refused.getMessage());
    }
}
