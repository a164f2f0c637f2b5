package dev.parley.bench;

import dev.parley.app.Server;
import dev.parley.app.config.Config;
import dev.parley.bench.rig.Accounts;
import dev.parley.testkit.DatabaseAddress;
import dev.parley.testkit.TestDatabase;
import dev.parley.testkit.TestPostgres;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A server in this process, on a database of its own. */
public final class TestServer implements AutoCloseable {
    private final TestDatabase database = TestPostgres.shared().emptyDatabase();
    private final Server server;

    public TestServer(Path data, Accounts accounts) {
        DatabaseAddress address = database.address();
        Map<String, String> environment = new HashMap<>(accounts.environment());
        environment.put("PARLEY_DATABASE_PASSWORD", address.password());
        List<String> flags = List.of(
                "--port", "0",
                "--data", data.toString(),
                "--rate-limits", "off",
                "--database-url", address.jdbcUrl(),
                "--database-user", address.user());
        server = Server.start(Config.load(flags, environment));
    }

    public URI uri() {
        return URI.create(server.url());
    }

    public Connection connect() throws SQLException {
        return database.address().connect();
    }

    @Override
    public void close() {
        server.close();
        database.close();
    }
}
