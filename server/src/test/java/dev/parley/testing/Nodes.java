package dev.parley.testing;

import dev.parley.app.Server;
import dev.parley.app.config.Config;
import dev.parley.testkit.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Several servers in this JVM on one database, as behind a balancer; closing it stops them all. */
public final class Nodes implements AutoCloseable {
    /** The secret that signs user tokens on all nodes. */
    public static final String SECRET = "a secret that all nodes of these tests share";

    /** The secret that signs URLs on all nodes. */
    public static final String SIGNING_SECRET = "another secret that all nodes of these tests share";

    private final TestDatabase database;
    private final Path storage = scratchFolder();
    private final List<Node> nodes = new ArrayList<>();

    private Nodes(TestDatabase database) {
        this.database = database;
    }

    /** Nodes on a fresh database, which is dropped at the end. */
    public static Nodes onFreshDatabase() {
        return on(RunningServer.freshDatabase());
    }

    /** Nodes on this database, which is dropped at the end. */
    public static Nodes on(TestDatabase database) {
        return new Nodes(database);
    }

    /** One of the nodes. */
    public record Node(Server server, Path data) implements AutoCloseable {
        public URI uri() {
            return URI.create(server.url());
        }

        /** A token of a user, valid on all nodes. */
        public String token(UUID user, String name) {
            return server.tokens().mint(user, name, Duration.ofHours(1));
        }

        /** Calls as this user. */
        public Api api(UUID user, String name) {
            return api(token(user, name));
        }

        public Api api(String credential) {
            return new Api(uri(), credential);
        }

        /** Stops the node as SIGTERM does. */
        @Override
        public void close() {
            server.close();
        }
    }

    /** Starts another node, with further settings as flags. */
    public Node start(String... flags) {
        return startIn(scratchFolder(), flags);
    }

    /** Starts another node with this data folder. */
    public Node startIn(Path data, String... flags) {
        Node node = new Node(Server.start(Config.load(arguments(data, flags), Map.of())), data);
        nodes.add(node);
        return node;
    }

    /** The arguments of a node: the database, secrets and object folder that all nodes share. */
    public List<String> arguments(Path data, String... flags) {
        List<String> arguments = new ArrayList<>(List.of(
                "--port", "0",
                "--jwt-secret", SECRET,
                "--signing-secret", SIGNING_SECRET,
                "--data", data.toString(),
                "--storage-folder", storage.toString(),
                "--database-url", database.address().jdbcUrl(),
                "--database-user", database.address().user(),
                "--database-password", database.address().password()));
        // The last of repeated flags counts.
        arguments.addAll(List.of(flags));
        return arguments;
    }

    public TestDatabase database() {
        return database;
    }

    /** The object folder that all nodes share. */
    public Path storage() {
        return storage;
    }

    public static Path scratchFolder() {
        try {
            return Files.createTempDirectory(Files.createDirectories(Path.of("target", "scratch")), "node")
                    .toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The first column of a query's result, as text. */
    public List<String> select(String query) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    public long count(String query) {
        return Long.parseLong(select(query).getFirst());
    }

    public void execute(String statement) {
        try (Connection connection = connect();
                Statement open = connection.createStatement()) {
            open.execute(statement);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(
                database.address().jdbcUrl(),
                database.address().user(),
                database.address().password());
    }

    @Override
    public void close() {
        nodes.forEach(Node::close);
        database.close();
    }
}
