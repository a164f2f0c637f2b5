package dev.parley.app;

import dev.parley.app.config.Config;
import dev.parley.auth.AuthSettings;
import dev.parley.auth.Authenticator;
import dev.parley.auth.Principal;
import dev.parley.auth.UserTokens;
import dev.parley.face.chat.ChatFace;
import dev.parley.face.chat.Cursors;
import dev.parley.face.operator.HealthFace;
import dev.parley.http.HttpEdge;
import dev.parley.http.HttpSettings;
import dev.parley.http.RouteKey;
import dev.parley.http.Routes;
import dev.parley.limits.Limits;
import dev.parley.log.Log;
import dev.parley.log.LogReader;
import dev.parley.log.LogSettings;
import dev.parley.storage.Database;
import dev.parley.storage.DatabaseAddress;
import dev.parley.streaming.Polls;
import dev.parley.streaming.StreamQuota;
import dev.parley.streaming.Tails;
import dev.parley.streaming.Watches;
import dev.parley.threads.MembershipRule;
import dev.parley.threads.MentionRule;
import dev.parley.threads.Messages;
import dev.parley.threads.Threads;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running server: everything built by hand, in the order in which it starts, and stopped in the reverse order. Tests
 * build the same one.
 */
public final class Server implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    private final Config config;
    private final Clock clock;
    private final Limits limits;
    private final PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Routes<Principal> routes = new Routes<>();
    private final UserTokens tokens;
    private final HttpEdge<Principal> edge;
    private final Deque<AutoCloseable> started = new ArrayDeque<>();

    private Server(Config config, Clock clock) {
        this.config = config;
        this.clock = clock;
        this.limits = config.limits();
        try {
            AuthSettings auth = FirstStart.authSettings(config);
            this.tokens = new UserTokens(auth, clock);
            Database database = openDatabase();
            LogReader reader = new LogReader(database);
            Watches watches = keep(new Watches(reader));
            Log log = keep(openLog(database, watches));
            Authenticator gate = new Authenticator(auth, tokens, clock);
            Polls polls = new Polls(reader, watches);
            addFaces(database, reader, watches, polls, log, gate);
            this.edge = listen(gate);
            keep(() -> edge.stop(config.shutdownGrace()));
            keep(polls);
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
        return switch (config.database()) {
            case Config.Database.Embedded() -> {
                OwnPostgres postgres = keep(OwnPostgres.start(config.data()));
                Database database = keep(Database.open(postgres.address(), config.databasePool()));
                postgres.keepRunningFor(database);
                yield database;
            }
            case Config.Database.External external ->
                keep(Database.open(
                        new DatabaseAddress(
                                external.jdbcUrl(),
                                external.user(),
                                Optional.ofNullable(external.password())
                                        .map(secret -> secret.reveal())
                                        .orElse(null)),
                        config.databasePool()));
        };
    }

    private Log openLog(Database database, Watches watches) {
        LogSettings settings = new LogSettings(
                config.lanes(),
                limits.laneQueue(),
                limits.laneQueueBytes(),
                limits.laneBatch(),
                limits.laneBatchBytes(),
                limits.appendDeadline());
        return new Log(
                database,
                List.of(new MembershipRule(), new MentionRule()),
                settings,
                clock,
                watches::committed,
                metrics);
    }

    private void addFaces(
            Database database, LogReader reader, Watches watches, Polls polls, Log log, Authenticator gate) {
        Threads threads = new Threads(database, limits, clock);
        Messages messages = new Messages(log, reader, threads, limits);
        Tails tails = new Tails(reader, watches, limits.tailBytes(), limits.tailBytesTotal());
        StreamQuota quota = new StreamQuota(config.rateLimits() ? limits.streamsPerActor() : Integer.MAX_VALUE);
        new ChatFace(threads, messages, polls, tails, new Cursors(reader), quota, limits).addTo(routes);
        new HealthFace(database, log, metrics, gate, version()).addTo(routes);
    }

    private HttpEdge<Principal> listen(Authenticator gate) {
        try {
            return HttpEdge.start(httpSettings(), routes, gate, metrics);
        } catch (IllegalStateException taken) {
            throw new CannotListen(
                    "Cannot listen on " + config.listen().host() + ":"
                            + config.listen().port()
                            + "; is the port taken? Choose another with --port, or 0 for any free one.",
                    taken);
        }
    }

    private HttpSettings httpSettings() {
        HttpSettings standard =
                HttpSettings.standard(config.listen().host(), config.listen().port());
        return new HttpSettings(
                standard.host(),
                standard.port(),
                standard.eventLoops(),
                limits.inFlight(),
                (int) limits.headerBytes(),
                limits.headTimeout(),
                limits.bodyTimeout(),
                standard.idleTimeout(),
                (int) limits.drainBytes(),
                limits.drainTime(),
                limits.heartbeat(),
                limits.slowReader(),
                standard.sseQueueBytes(),
                standard.sendBufferBytes());
    }

    private static String version() {
        return Optional.ofNullable(Server.class.getPackage().getImplementationVersion())
                .orElse("development");
    }

    private <T extends AutoCloseable> T keep(T part) {
        started.push(part);
        return part;
    }

    public int port() {
        return edge.port();
    }

    public String url() {
        String host = config.listen().host();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port();
    }

    public UserTokens tokens() {
        return tokens;
    }

    public List<RouteKey> routes() {
        return routes.list();
    }

    /** Ends long polls, stops accepting, ends streams, drains the lanes, closes the pool, then stops its PostgreSQL. */
    @Override
    public void close() {
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception failed) {
                LOG.error("A part of the server did not stop cleanly", failed);
            }
        }
    }
}
