package dev.parley.console;

import dev.parley.app.Server;
import dev.parley.app.config.Config;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.RawHttp;
import dev.parley.testkit.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A server as on its first start: no secret is configured, so the user of this machine is signed in. */
record LocalServer(TestDatabase database, Server server) implements AutoCloseable {
    static LocalServer start(String... more) throws IOException {
        TestDatabase database = RunningServer.freshDatabase();
        Path data = Files.createTempDirectory(Files.createDirectories(Path.of("target", "scratch")), "console");
        List<String> flags = new ArrayList<>(List.of(
                "--port", "0",
                "--data", data.toString(),
                "--rate-limits", "off",
                "--database-url", database.address().jdbcUrl(),
                "--database-user", database.address().user(),
                "--database-password", database.address().password()));
        flags.addAll(List.of(more));
        return new LocalServer(database, Server.start(Config.load(flags, Map.of())));
    }

    URI uri() {
        return URI.create(server.url() + "/");
    }

    /** The value of one of the server's metrics. */
    double metric(String name) {
        String request = "GET /metrics HTTP/1.1\r\nHost: " + uri().getAuthority() + "\r\n\r\n";
        try {
            return RawHttp.exchange(uri(), request.getBytes(StandardCharsets.US_ASCII), Duration.ofSeconds(20))
                    .text()
                    .lines()
                    .filter(line -> line.startsWith(name + " "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("There is no metric " + name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs statements on the server's database, for data that would take too long otherwise. */
    void execute(String... statements) {
        try (Connection connection = DriverManager.getConnection(
                        database.address().jdbcUrl(),
                        database.address().user(),
                        database.address().password());
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        server.close();
        database.close();
    }
}
