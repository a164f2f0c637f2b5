package dev.parley.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.RunningServer;
import dev.parley.testkit.FakePostgres;
import dev.parley.testkit.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A server that cannot start gives the reason in one sentence, and exits. */
class RefusedStartTest {
    private static final String SECRET = "a secret that must not be printed anywhere";

    @Test
    void aTakenPort() throws Exception {
        try (TestDatabase database = RunningServer.freshDatabase();
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            String port = Integer.toString(taken.getLocalPort());
            CommandRun run = CommandRun.of(
                    "serve",
                    "--port",
                    port,
                    "--data",
                    Scratch.folder("data").toString(),
                    "--jwt-secret",
                    SECRET,
                    "--database-url",
                    database.address().jdbcUrl(),
                    "--database-user",
                    database.address().user(),
                    "--database-password",
                    database.address().password());
            assertThat(sentence(run)).startsWith("Cannot listen on 127.0.0.1:" + port + " (Address already in use)");
            assertThat(String.join("\n", run.out()))
                    .contains("jwt-secret", "database-password")
                    .doesNotContain(SECRET)
                    .doesNotContain(database.address().password());
        }
    }

    /** Root may write anywhere, but even root makes no folder below a file. */
    @Test
    void aDataFolderThatCannotBeMade() throws Exception {
        Path file = Files.createFile(Scratch.folder("blocked").resolve("file"));
        String below = file.resolve("data").toString();
        assertThat(sentence(CommandRun.of("serve", "--port", "0", "--data", below)))
                .startsWith("The data folder " + below + " cannot be used: ")
                .contains("Not a directory");
        assertThat(sentence(CommandRun.of("serve", "--port", "0", "--data", file.toString())))
                .isEqualTo("The data folder " + file + " is not a folder.");
        assertThat(sentence(CommandRun.of("serve", "--port", "0", "--jwt-secret", SECRET, "--data", below)))
                .contains(file.toString())
                .contains("Not a directory");
    }

    @Test
    void aDatabaseThatCannotBeReached() throws Exception {
        int closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        assertThat(sentence(onDatabase("jdbc:postgresql://127.0.0.1:" + closed + "/parley")))
                .startsWith("The database at jdbc:postgresql://127.0.0.1:" + closed + "/parley cannot be reached: ");
    }

    @Test
    void aDatabaseThatIsTooOld() throws Exception {
        try (FakePostgres old = FakePostgres.with(Map.of("server_version", "14.9"))) {
            assertThat(sentence(onDatabase(old.jdbcUrl())))
                    .endsWith("is PostgreSQL 14; Parley needs PostgreSQL 15 or newer.");
        }
    }

    @Test
    void aDatabaseThatIsNotDurable() throws Exception {
        try (FakePostgres forgetful = FakePostgres.with(Map.of("fsync", "off"))) {
            assertThat(sentence(onDatabase(forgetful.jdbcUrl()))).contains("has fsync = off; a crash could lose");
        }
    }

    private static CommandRun onDatabase(String url) throws IOException, InterruptedException {
        return CommandRun.of(
                "serve", "--port", "0", "--data", Scratch.folder("data").toString(), "--database-url", url);
    }

    static Stream<Arguments> wrongWords() {
        String user = UUID.randomUUID().toString();
        return Stream.of(
                Arguments.of(List.of("serve", "--host", "0.0.0.0"), "Listening on 0.0.0.0 needs jwt-secret"),
                Arguments.of(List.of("serve", "--prot", "0"), "There is no flag --prot; did you mean --port?"),
                Arguments.of(List.of("serve", "--port", "http"), "cannot be \"http\": a whole number"),
                Arguments.of(List.of("serve", "--jwt-secret", "short"), "jwt-secret"),
                Arguments.of(List.of("sevre"), "There is no command sevre; there are serve, token, export,"),
                Arguments.of(List.of("token"), "The flag --user is missing"),
                Arguments.of(List.of("token", "--user"), "The flag --user needs a value."),
                Arguments.of(List.of("token", "--user", "olivia"), "--user is \"olivia\", but a UUID is expected."),
                Arguments.of(List.of("token", "--user", user, "--ttl", "long"), "--ttl is \"long\""),
                Arguments.of(List.of("token", "--user", user, "--nmae", "Olivia"), "There is no flag --nmae"));
    }

    @ParameterizedTest
    @MethodSource("wrongWords")
    void unknownArguments(List<String> arguments, String expected) throws Exception {
        CommandRun run = CommandRun.of(arguments.toArray(String[]::new));
        assertThat(sentence(run)).contains(expected).doesNotContain("short");
        assertThat(run.out()).isEmpty();
    }

    /** The single sentence of a refusal. */
    private static String sentence(CommandRun run) {
        assertThat(run.err()).hasSize(1);
        String line = run.err().getFirst();
        assertThat(line).startsWith("parley: ").matches(".*[.?]");
        assertThat(run.status()).isBetween(1, 2);
        assertThat(run.out()).noneMatch(printed -> printed.contains("listening"));
        return line.substring("parley: ".length());
    }
}
