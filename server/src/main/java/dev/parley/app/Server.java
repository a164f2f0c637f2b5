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
 * One running server. Builds everything by hand in the order of the start, and stops it in the reverse order. Tests
 * build the same server.
 */
public final class Server implements AutoCloseable {
    /**
     * Longest wait for requests in progress when the server stops. A short wait suffices, because long polls are ended
     * earlier.
     */
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
            // Checked first, because a taken port should be reported before a database starts.
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
            // Runs are stopped early, while viewers can still see the end of their runs.
            closer.keep(features.runs.runs());
            features.nodes.listensOn(url(), ThisNode.nameOf(config, port()));
            // The node is marked as stopping early, because a balancer should send no more requests.
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

    /**
     * The highest number of connections that the server opens: those of the pool, of each lane (including the
     * connections for parked threads), and of the bus.
     */
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

    /** The address at which callers reach the server; known once it listens. */
    private URI publicUrl() {
        return Optional.ofNullable(config.listen().publicUrl())
                .orElseGet(() ->
                        URI.create(Config.isEverywhere(config.listen().host()) ? "http://127.0.0.1:" + port() : url()));
    }

    public UserTokens tokens() {
        return tokens;
    }

    /** The entry point for messages from platforms. */
    public Ingest ingest() {
        return features.ingest.ingest();
    }

    /** Removes unreferenced objects now, instead of on the next scheduled pass. */
    public void sweepObjects() {
        features.sweeper.sweep();
    }

    /** Erases expired messages now, instead of on the next scheduled pass. False if another node is erasing. */
    public boolean sweepRetention() {
        return features.erasures.retention().sweep();
    }

    /** The kind of rate limit that applies to each route inside the gate. */
    public Map<RouteKey, RateKind> rates() {
        return routes.rates();
    }

    public List<RouteKey> routes() {
        return routes.list();
    }

    /**
     * Waits for runs and the balancer, ends long polls, stops accepting, ends streams, drains the lanes, closes the
     * pool, then stops the embedded PostgreSQL.
     */
    @Override
    public void close() {
        closer.close();
    }
}
