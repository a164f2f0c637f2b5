package dev.parley.testing;

import dev.parley.app.Server;
import dev.parley.app.config.Config;
import dev.parley.sdk.Parley;
import dev.parley.sdk.Token;
import dev.parley.storage.Database;
import dev.parley.storage.DatabaseAddress;
import dev.parley.testkit.RawHttp;
import dev.parley.testkit.TestDatabase;
import dev.parley.testkit.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A whole server in this JVM, on a free port and a fresh database; closing it stops it and drops the database. Further
 * nodes can be started beside it.
 */
public final class RunningServer implements AutoCloseable {
    private static final String SECRET = "a secret that only the tests of this server know";

    private final TestDatabase database;
    private final Path data;
    private final boolean ownsDatabase;
    private final Server server;
    private final List<Parley> clients = new ArrayList<>();

    private RunningServer(TestDatabase database, Path data, boolean ownsDatabase, Clock clock, String... flags) {
        this.database = database;
        this.data = data;
        this.ownsDatabase = ownsDatabase;
        List<String> arguments = new ArrayList<>(List.of(
                "--port", "0",
                "--jwt-secret", SECRET,
                "--data", data.toString(),
                "--database-user", database.address().user(),
                "--database-password", database.address().password()));
        List<String> further = List.of(flags);
        if (!further.contains("--database-url")) {
            arguments.addAll(List.of("--database-url", database.address().jdbcUrl()));
        }
        arguments.addAll(further);
        this.server = Server.start(Config.load(arguments, Map.of()), clock);
    }

    /** Starts with further settings as flags. */
    public static RunningServer start(String... flags) {
        return start(Clock.systemUTC(), flags);
    }

    public static RunningServer start(Clock clock, String... flags) {
        return new RunningServer(freshDatabase(), scratchFolder(), true, clock, flags);
    }

    /**
     * Starts another node on the same database, with the same secrets and the same data folder, so no upload may be in
     * progress. It is closed with the first node, before it. A {@code --database-url} among the flags is another way to
     * the same database.
     */
    public RunningServer beside(String... flags) {
        return beside(Clock.systemUTC(), flags);
    }

    public RunningServer beside(Clock clock, String... flags) {
        return new RunningServer(database, data, false, clock, flags);
    }

    /** An empty database with Parley's schema. */
    public static TestDatabase freshDatabase() {
        TestPostgres postgres = TestPostgres.shared();
        return postgres.freshDatabase(postgres.template(
                "parley", address -> Database.open(storage(address), 1).close()));
    }

    public static DatabaseAddress storage(dev.parley.testkit.DatabaseAddress address) {
        return new DatabaseAddress(address.jdbcUrl(), address.user(), address.password());
    }

    private static Path scratchFolder() {
        try {
            return Files.createTempDirectory(Files.createDirectories(Path.of("target", "scratch")), "data");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public URI uri() {
        return URI.create(server.url());
    }

    public Server server() {
        return server;
    }

    public DatabaseAddress database() {
        return storage(database.address());
    }

    /** A token of a user of this server. */
    public String token(UUID user, String name) {
        return server.tokens().mint(user, name, Duration.ofHours(1));
    }

    /** A client that calls as this user. */
    public Parley as(UUID user) {
        return as(user, "User " + user.getLeastSignificantBits());
    }

    public Parley as(UUID user, String name) {
        Parley client = Parley.connect(uri(), new Token(token(user, name)));
        clients.add(client);
        return client;
    }

    /** A client of a new user. */
    public Parley asSomebody() {
        return as(UUID.randomUUID());
    }

    /** Calls with a credential, or with none. */
    public Api api(@Nullable String credential) {
        return new Api(uri(), credential);
    }

    /** Calls as this user. */
    public Api api(UUID user, String name) {
        return api(token(user, name));
    }

    /** The value of one of the server's metrics. */
    public double metric(String name) {
        // Metrics are for calls from this machine, to the server's own name.
        String request = "GET /metrics HTTP/1.1\r\nHost: " + uri().getAuthority() + "\r\n\r\n";
        return metrics(request)
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no metric " + name));
    }

    private String metrics(String request) {
        try {
            return RawHttp.exchange(uri(), request.getBytes(StandardCharsets.US_ASCII), Duration.ofSeconds(20))
                    .text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The single number of a query on the server's database. */
    public long count(String query) {
        return Long.parseLong(select(query).getFirst());
    }

    /** Runs statements on the server's database, for states that no client can cause. */
    public void execute(String... statements) {
        select(List.of(statements), null);
    }

    /** Marks a thread that people created as a thread of a source, as its integration expects it. */
    public void setSource(String thread, String source) {
        execute("update threads set source = '%s' where thread_id = '%s'".formatted(source, thread), """
                insert into listings (thread_id, actor, is_archived, active_at)
                select thread_id, 'integration:%s', is_archived, created_at from threads where thread_id = '%s'
                """.formatted(
                        source, thread));
    }

    /** The first column of a query's result, as text. */
    public List<String> select(String query) {
        return select(List.of(), query);
    }

    private List<String> select(List<String> before, @Nullable String query) {
        DatabaseAddress address = database();
        try (Connection connection =
                        DriverManager.getConnection(address.jdbcUrl(), address.user(), address.password());
                Statement statement = connection.createStatement()) {
            for (String each : before) {
                statement.execute(each);
            }
            List<String> found = new ArrayList<>();
            if (query != null) {
                try (ResultSet rows = statement.executeQuery(query)) {
                    while (rows.next()) {
                        found.add(rows.getString(1));
                    }
                }
            }
            return found;
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void close() {
        clients.forEach(Parley::close);
        server.close();
        if (ownsDatabase) {
            database.close();
        }
    }
}
