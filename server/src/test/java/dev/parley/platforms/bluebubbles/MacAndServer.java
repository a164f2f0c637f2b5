package dev.parley.platforms.bluebubbles;

import static org.awaitility.Awaitility.await;

import dev.parley.app.Server;
import dev.parley.app.config.Config;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestDatabase;
import dev.parley.testkit.chat.ScriptedBlueBubbles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.core.ThrowingRunnable;

/** A whole server and the Mac that it serves. The server can be stopped and started again with its database. */
final class MacAndServer implements AutoCloseable {
    static final String OWNER = "me@example.test";
    private static final UUID OPERATOR = UUID.randomUUID();
    private static final Duration LIMIT = Duration.ofSeconds(30);

    final ScriptedBlueBubbles mac = new ScriptedBlueBubbles(Clock.systemUTC());
    private final TestDatabase database = RunningServer.freshDatabase();
    private final Path folder;
    private Server server;

    MacAndServer() throws IOException {
        folder = Files.createTempDirectory(Files.createDirectories(Path.of("target", "scratch")), "bluebubbles");
        mac.belongTo(OWNER);
        server = begin();
    }

    private Server begin() {
        Server begun = Server.start(
                Config.load(
                        List.of(
                                "--port", "0",
                                "--jwt-secret", "a secret that only the tests of this Mac know",
                                "--data", folder.toString(),
                                "--database-url", database.address().jdbcUrl(),
                                "--database-user", database.address().user(),
                                "--database-password", database.address().password(),
                                "--rate-limits", "off",
                                "--operators", OPERATOR.toString(),
                                "--bluebubbles-url", mac.url().toString(),
                                "--bluebubbles-password", ScriptedBlueBubbles.PASSWORD,
                                "--bluebubbles-webhook-secret", Mac.SECRET),
                        Map.of()),
                Clock.systemUTC());
        mac.tell(URI.create(begun.url() + path(Mac.SECRET)));
        return begun;
    }

    static String path(String secret) {
        return "/api/v1/integrations/bluebubbles/" + secret;
    }

    /** Stops the server; webhooks of the Mac are lost until it starts again. */
    void stop() {
        mac.settle();
        server.close();
    }

    void startAgain() {
        server = begin();
    }

    Api api() {
        return new Api(URI.create(server.url()), null);
    }

    /** The messages of a chat's thread, in their order. */
    List<String> said(String chatGuid) {
        return select("select content from entries join bindings using (thread_id) where kind = 0 and channel = '"
                + chatGuid + "' order by seq");
    }

    /** The first column of a query's result, as text. */
    List<String> select(String query) {
        try (Connection connection = DriverManager.getConnection(
                        database.address().jdbcUrl(),
                        database.address().user(),
                        database.address().password());
                ResultSet rows = connection.createStatement().executeQuery(query)) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** The messages of a chat on the Mac. */
    List<String> shown(String chatGuid) {
        return mac.messages(chatGuid).stream()
                .map(message -> message.path("text").asString(""))
                .toList();
    }

    static void soon(ThrowingRunnable assertion) {
        await().atMost(LIMIT).untilAsserted(assertion);
    }

    @Override
    public void close() {
        server.close();
        mac.close();
        database.close();
    }
}
