package dev.parley.api.chat;

import dev.parley.testing.RunningServer;
import dev.parley.testkit.FaultProxy;
import dev.parley.testkit.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** A database, a network to it that can be paused, and servers with narrow limits that use both. */
final class ProxiedDatabase implements AutoCloseable {
    private final TestDatabase database = RunningServer.freshDatabase();
    private final FaultProxy network;

    ProxiedDatabase() throws IOException {
        network = FaultProxy.to(URI.create(database.address().jdbcUrl().substring("jdbc:".length())));
    }

    /** Starts a server with one lane and room for one waiting command. */
    RunningServer startServer(String appendDeadline) {
        return RunningServer.start(
                "--database-url",
                "jdbc:postgresql://127.0.0.1:" + network.port() + "/" + database.name(),
                "--lanes",
                "1",
                "--limit-lane-queue",
                "1",
                "--limit-append-deadline",
                appendDeadline,
                "--limit-streams-per-actor",
                "1",
                "--limit-webhooks",
                "1",
                "--limit-body-timeout",
                "2s",
                "--outbound-allow",
                "127.0.0.1:9",
                "--operators",
                ProblemScene.OLIVIA.toString());
    }

    FaultProxy network() {
        return network;
    }

    /** Runs a statement without the network. */
    void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(
                        database.address().jdbcUrl(),
                        database.address().user(),
                        database.address().password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws IOException {
        network.close();
        database.close();
    }
}
