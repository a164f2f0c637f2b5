package dev.parley.console;

import dev.parley.app.Server;
import dev.parley.app.config.Config;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A server as it is on its first start: no secret is configured, so whoever sits at this machine is signed in. */
record LocalServer(TestDatabase database, Server server) implements AutoCloseable {
    static LocalServer start() throws IOException {
        TestDatabase database = RunningServer.freshDatabase();
        Path data = Files.createTempDirectory(Files.createDirectories(Path.of("target", "scratch")), "console");
        List<String> flags = List.of(
                "--port", "0",
                "--data", data.toString(),
                "--database-url", database.address().jdbcUrl(),
                "--database-user", database.address().user(),
                "--database-password", database.address().password());
        return new LocalServer(database, Server.start(Config.load(flags, Map.of())));
    }

    URI uri() {
        return URI.create(server.url() + "/");
    }

    @Override
    public void close() {
        server.close();
        database.close();
    }
}
