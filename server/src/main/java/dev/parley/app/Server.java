package dev.parley.app;

import dev.parley.app.config.Config;
import dev.parley.app.data.FirstStart;
import dev.parley.app.data.OwnPostgres;
import dev.parley.archive.Import;
import dev.parley.auth.AuthSettings;
import dev.parley.auth.Principal;
import dev.parley.auth.UserTokens;
import dev.parley.http.HttpEdge;
import dev.parley.http.RateKind;
import dev.parley.http.RouteKey;
import dev.parley.http.Routes;
import dev.parley.ingest.Ingest;
import dev.parley.log.Log;
import dev.parley.storage.Database;
import dev.parley.storage.DatabaseAddress;
import dev.parley.threads.DisplayNames;
import dev.parley.wakeups.PostgresWakeups;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One running server: everything built by hand, in the order in which it starts, and stopped in the reverse order. Tests
 * build the same one.
 */
public final class Server implements AutoCloseable {
    /** Requests under way are short: those that wait were told to go. */
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(2);

    private final Config config;
    private final Routes<Principal> routes = new Routes<>();
    private final UserTokens tokens;
    private final HttpEdge<Principal> edge;
    private final Features features;
    private final Closer closer = new Closer();

    private Server(Config config, Clock clock) {
        this.config = config;
        try {
            // Before anything is started: a taken port should not cost the start of a database to find out.
            Listening.requireFreePort(config.listen());
            AuthSettings auth = FirstStart.authSettings(config);
            this.tokens = new UserTokens(auth, clock);
            Database database = openDatabase();
            Import.requireNoneUnfinished(database);
            Import.warnOfUnsound(database);
            Credentials credentials = Credentials.open(config, auth, tokens, database, clock);
            DisplayNames names = new DisplayNames(database, clock);
            Foundation base = new Foundation(
                    config, clock, database, new PrometheusMeterRegistry(PrometheusConfig.DEFAULT), closer);
            this.features = new Features(base, auth, credentials, names, this::publicUrl);
            new Faces(base, features, credentials).addTo(routes);
            features.platforms.forEach(ChatPlatforms.Connected::start);
            this.edge = Listening.open(
                    config, routes, new CallerGate(credentials.gate(), names, features.rates), base.metrics());
            closer.keep(() -> edge.stop(DRAIN_TIMEOUT));
            closer.keep(() -> features.watches.settle(SETTLE_TIMEOUT));
            closer.keep(features.streams.polls());
            closer.keep(features.intake);
            // Stopped early, while viewers can still see how their runs end.
            closer.keep(features.runs.runs());
            features.nodes.listensOn(url(), ThisNode.nameOf(config, port()));
            // First of all: a balancer should send nobody any more.
            closer.keep(features.nodes::stops);
            closer.keep(features.intake::beginDrain);
        } catch (RuntimeException | Error failed) {
            close();
            throw failed;
        }
    }

    public static Server start(Config config) {
        return start(config, Clock.systemUTC());
    }

    public static Server start(Config config, Clock clock) {
        return new Server(config, clock);
    }

    private Database openDatabase() {
        return switch (config.stores().database()) {
            case Config.Database.Embedded() -> {
                OwnPostgres postgres = closer.keep(OwnPostgres.start(config.data(), connections()));
                Database database = closer.keep(openDatabase(postgres.address()));
                postgres.keepRunningFor(database);
                yield database;
            }
            case Config.Database.External external -> closer.keep(openDatabase(external.address()));
        };
    }

    private Database openDatabase(DatabaseAddress address) {
        return Database.open(
                address, config.stores().pool(), config.limits().storage().lockTimeout());
    }

    /** How many connections the server opens at most: the pool's, each lane's with those it parks threads on, the bus's. */
    private int connections() {
        return config.stores().pool() + config.node().lanes() * Log.CONNECTIONS_PER_LANE + PostgresWakeups.CONNECTIONS;
    }

    static String version() {
        return Optional.ofNullable(Server.class.getPackage().getImplementationVersion())
                .orElse("development");
    }

    public int port() {
        return edge.port();
    }

    public String url() {
        String host = config.listen().host();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port();
    }

    /** Where callers reach the server; known once it listens. */
    private URI publicUrl() {
        return Optional.ofNullable(config.listen().publicUrl())
                .orElseGet(() ->
                        URI.create(Config.isEverywhere(config.listen().host()) ? "http://127.0.0.1:" + port() : url()));
    }

    public UserTokens tokens() {
        return tokens;
    }

    /** Where what platforms tell of is stored. */
    public Ingest ingest() {
        return features.ingest.ingest();
    }

    /** Removes objects that nobody needs now, instead of some time later. */
    public void sweepObjects() {
        features.sweeper.sweep();
    }

    /** Erases now what is too old, instead of some time later; false if another node does. */
    public boolean sweepRetention() {
        return features.erasures.retention().sweep();
    }

    /** The kinds by which the calls of the routes inside the gate are counted. */
    public Map<RouteKey, RateKind> rates() {
        return routes.rates();
    }

    public List<RouteKey> routes() {
        return routes.list();
    }

    /**
     * Waits for runs and the balancer, ends long polls, stops accepting, ends streams, drains the lanes, closes the pool,
     * then stops its PostgreSQL.
     */
    @Override
    public void close() {
        closer.close();
    }
}
