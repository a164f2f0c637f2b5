package dev.parley.wakeups;

import static org.awaitility.Awaitility.await;

import dev.parley.storage.Database;
import dev.parley.storage.DatabaseAddress;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.FaultProxy;
import dev.parley.testkit.TestDatabase;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresWakeupsTest extends ServedWakeupsContract {
    private TestDatabase real;
    private FaultProxy proxy;
    private Database database;

    @BeforeEach
    void start() throws Exception {
        real = RunningServer.freshDatabase();
        DatabaseAddress address = RunningServer.storage(real.address());
        URI server = URI.create(address.jdbcUrl().substring("jdbc:".length()));
        proxy = FaultProxy.to(server);
        database = Database.open(
                new DatabaseAddress(
                        address.jdbcUrl().replace(":" + server.getPort(), ":" + proxy.port()),
                        address.user(),
                        address.password()),
                1);
    }

    @AfterEach
    void stop() throws Exception {
        closeNodes();
        database.close();
        proxy.close();
        real.close();
    }

    private Connection connect() throws Exception {
        DatabaseAddress address = RunningServer.storage(real.address());
        return DriverManager.getConnection(address.jdbcUrl(), address.user(), address.password());
    }

    @Override
    Wakeups open() {
        return new PostgresWakeups(database);
    }

    @Override
    void sendForeign(String text) throws Exception {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement("select pg_notify('parley_wakeups', ?)")) {
            statement.setString(1, text);
            statement.execute();
        }
    }

    @Override
    void takeAway() {
        proxy.refuse(true);
        proxy.cutAll();
    }

    @Override
    void bringBack() {
        proxy.refuse(false);
    }

    @Override
    void pause() {
        proxy.pause();
    }

    @Override
    void resume() {
        proxy.resume();
    }

    @Override
    int connections() throws Exception {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement("""
                        select count(*) from pg_stat_activity
                        where datname = current_database() and pid <> pg_backend_pid()
                            and (query like '%pg_notify%' or query like 'listen %')""");
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getInt(1);
        }
    }

    @Test
    void connectionsThatTheServerEndsAreMadeAnew() throws Exception {
        List<TestNode> two = nodes(2);
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement("""
                        select pg_terminate_backend(pid) from pg_stat_activity
                        where datname = current_database() and pid <> pg_backend_pid()""")) {
            statement.execute();
        }
        awaitUntilReceived(two.getFirst(), two.get(1));
        await().atMost(LIMIT).until(() -> connections() == 2 * PostgresWakeups.CONNECTIONS);
    }
}
