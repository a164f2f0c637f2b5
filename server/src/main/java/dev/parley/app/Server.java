package dev.parley.app;

import dev.parley.agents.Agents;
import dev.parley.agents.FileAgents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.agents.demo.DemoAgent;
import dev.parley.agents.model.ModelAgent;
import dev.parley.agents.model.Prices;
import dev.parley.agents.model.Spending;
import dev.parley.agents.remote.RemoteAgent;
import dev.parley.agents.tools.ToolServers;
import dev.parley.app.config.Config;
import dev.parley.app.config.ConfigException;
import dev.parley.app.config.OidcSettings;
import dev.parley.app.config.Secret;
import dev.parley.archive.Import;
import dev.parley.assembly.Assembly;
import dev.parley.assembly.Fences;
import dev.parley.attachments.AttachedRule;
import dev.parley.attachments.AttachedWriter;
import dev.parley.attachments.Attachments;
import dev.parley.attachments.BlobStore;
import dev.parley.attachments.ErasedObjects;
import dev.parley.attachments.ObjectParts;
import dev.parley.attachments.ObjectUrls;
import dev.parley.attachments.StoredObjects;
import dev.parley.attachments.Sweeping;
import dev.parley.attachments.UrlTokens;
import dev.parley.auth.AgentTokens;
import dev.parley.auth.Audit;
import dev.parley.auth.AuthSettings;
import dev.parley.auth.Authenticator;
import dev.parley.auth.IntegrationKeys;
import dev.parley.auth.Principal;
import dev.parley.auth.RateLimits;
import dev.parley.auth.StreamTickets;
import dev.parley.auth.UserTokens;
import dev.parley.contexts.Contexts;
import dev.parley.delivery.ChatTransport;
import dev.parley.delivery.DeliveryRule;
import dev.parley.delivery.DeliveryWriter;
import dev.parley.engagement.EngagementRule;
import dev.parley.erasure.ErasureStepWriter;
import dev.parley.erasure.Erasures;
import dev.parley.face.agent.AttachmentFace;
import dev.parley.face.agent.ContextFace;
import dev.parley.face.agent.HistoryFace;
import dev.parley.face.agent.RunFace;
import dev.parley.face.agent.StreamFace;
import dev.parley.face.agent.WatchStream;
import dev.parley.face.agent.WatchStreamFace;
import dev.parley.face.agui.AguiFace;
import dev.parley.face.agui.Streaming;
import dev.parley.face.chat.ChatFace;
import dev.parley.face.chat.ChatViews;
import dev.parley.face.chat.Cursors;
import dev.parley.face.chat.EventFace;
import dev.parley.face.chat.MessageFace;
import dev.parley.face.console.ConsoleFace;
import dev.parley.face.docs.DocsFace;
import dev.parley.face.identity.IdentityFace;
import dev.parley.face.objects.ObjectFace;
import dev.parley.face.operator.ErasureFace;
import dev.parley.face.operator.HealthFace;
import dev.parley.face.operator.NodeFace;
import dev.parley.face.operator.OperatorFace;
import dev.parley.face.owner.OwnerFace;
import dev.parley.history.Conversation;
import dev.parley.history.History;
import dev.parley.http.BrowserRules;
import dev.parley.http.Gate;
import dev.parley.http.HttpEdge;
import dev.parley.http.HttpSettings;
import dev.parley.http.RequestHead;
import dev.parley.http.RouteKey;
import dev.parley.http.Routes;
import dev.parley.ingest.InboundRule;
import dev.parley.ingest.InboundWriter;
import dev.parley.ingest.Ingest;
import dev.parley.limits.Limits;
import dev.parley.log.DayReader;
import dev.parley.log.Event;
import dev.parley.log.Log;
import dev.parley.log.LogReader;
import dev.parley.log.LogSettings;
import dev.parley.nodes.NodeFigures;
import dev.parley.nodes.Nodes;
import dev.parley.outbound.Calls;
import dev.parley.outbound.Outbound;
import dev.parley.outbound.Secrets;
import dev.parley.protocol.Actor;
import dev.parley.protocol.chat.OidcClient;
import dev.parley.runs.RunChangeWriter;
import dev.parley.runs.RunRule;
import dev.parley.runs.RunSettings;
import dev.parley.runs.Runs;
import dev.parley.sessions.ChatEventRule;
import dev.parley.sessions.ChatEventWriter;
import dev.parley.sessions.SessionDoors;
import dev.parley.sessions.StreamChangeWriter;
import dev.parley.storage.Database;
import dev.parley.streaming.Inbox;
import dev.parley.streaming.OpenStreams;
import dev.parley.streaming.Polls;
import dev.parley.streaming.StreamQuota;
import dev.parley.streaming.Tails;
import dev.parley.streaming.Watches;
import dev.parley.threads.Activity;
import dev.parley.threads.ArchiveRule;
import dev.parley.threads.DeletedThreads;
import dev.parley.threads.LatestThread;
import dev.parley.threads.MembershipRule;
import dev.parley.threads.MentionRule;
import dev.parley.threads.Messages;
import dev.parley.threads.Names;
import dev.parley.threads.ReactionRule;
import dev.parley.threads.ReadMarkWriter;
import dev.parley.threads.Recall;
import dev.parley.threads.Revisions;
import dev.parley.threads.RoomRule;
import dev.parley.threads.ThreadChangeWriter;
import dev.parley.threads.ThreadFactsCache;
import dev.parley.threads.Threads;
import dev.parley.threads.TitleRule;
import dev.parley.wakeups.PostgresWakeups;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running server: everything built by hand, in the order in which it starts, and stopped in the reverse order. Tests
 * build the same one.
 */
public final class Server implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Server.class);

    /** Requests under way are short: those that wait were told to go. */
    private static final Duration LAST_REQUESTS = Duration.ofSeconds(5);

    private final Config config;
    private final Clock clock;
    private final Limits limits;
    private final PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Routes<Principal> routes = new Routes<>();
    private final UserTokens tokens;
    private final HttpEdge<Principal> edge;
    private final Sweeping sweeping;
    private final Ingest ingest;
    private final Erasures erasures;
    private final Deque<AutoCloseable> started = new ArrayDeque<>();

    private Server(Config config, Clock clock) {
        this.config = config;
        this.clock = clock;
        this.limits = config.limits();
        try {
            requireFreePort();
            AuthSettings auth = FirstStart.authSettings(config);
            this.tokens = new UserTokens(auth, clock);
            Database database = openDatabase();
            Import.requireNoneUnfinished(database);
            Credentials credentials = openCredentials(database, auth);
            Names names = new Names(database, clock);
            Following following = addFaces(database, auth, credentials, names);
            this.sweeping = following.sweeping();
            this.ingest = following.ingest();
            this.erasures = following.erasures();
            this.edge = listen(new Gate<>() {
                @Override
                public Principal admit(RequestHead head) {
                    Principal caller = credentials.gate().admit(head);
                    names.note(caller);
                    return caller;
                }

                @Override
                public Object meteredAs(Principal caller) {
                    return caller.meteredAs();
                }
            });
            keep(() -> edge.stop(LAST_REQUESTS));
            keep(following.polls());
            // Stopped early, while viewers can still see how their runs end.
            keep(following.runs());
            following.nodes().listensOn(url(), ThisNode.nameOf(config, port()));
            // First of all: a balancer should send nobody any more.
            keep(following.nodes()::stops);
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
                OwnPostgres postgres = keep(OwnPostgres.start(config.data(), connections()));
                Database database = keep(Database.open(postgres.address(), config.databasePool()));
                postgres.keepRunningFor(database);
                yield database;
            }
            case Config.Database.External external ->
                keep(Database.open(CommandDatabase.address(external), config.databasePool()));
        };
    }

    /** How many connections the server opens at most: the pool's, each lane's with those it parks threads on, the bus's. */
    private int connections() {
        return config.databasePool() + config.lanes() * Log.CONNECTIONS_PER_LANE + PostgresWakeups.CONNECTIONS;
    }

    private Log openLog(Database database, List<ChatTransport> transports, Consumer<List<Event>> committed) {
        LogSettings settings = new LogSettings(
                config.lanes(),
                limits.laneQueue(),
                limits.laneQueueBytes(),
                limits.laneBatch(),
                limits.laneBatchBytes(),
                limits.appendDeadline());
        ThreadFactsCache facts = new ThreadFactsCache();
        return new Log(
                database,
                List.of(
                        new MembershipRule(facts),
                        new ArchiveRule(facts),
                        new RoomRule(facts, limits.participants()),
                        new MentionRule(facts),
                        new ReactionRule(limits.reactions()),
                        new TitleRule(facts),
                        new RunRule(facts, limits.runsQueued()),
                        new AttachedRule(),
                        new EngagementRule(facts),
                        new InboundRule(),
                        new ChatEventRule(),
                        new DeliveryRule(transports, limits.deliveryParts())),
                List.of(
                        new ThreadChangeWriter(),
                        new ReadMarkWriter(),
                        new RunChangeWriter(),
                        new AttachedWriter(),
                        new InboundWriter(),
                        new ChatEventWriter(),
                        new DeliveryWriter(),
                        new StreamChangeWriter(prices()),
                        new ErasureStepWriter()),
                settings,
                clock,
                committed,
                metrics);
    }

    private Prices prices() {
        return new Prices(config.agentsFile().prices());
    }

    private ObjectParts openObjects(Database database) {
        BlobStore store = keep(BlobStores.open(config.storage(), config.data()));
        UrlTokens urlTokens = new UrlTokens(FirstStart.signingSecrets(config), clock);
        ObjectUrls urls = new ObjectUrls(urlTokens, this::publicUrl);
        return keep(ObjectParts.of(database, store, config.data().resolve("arriving"), urls, urlTokens, limits));
    }

    private Credentials openCredentials(Database database, AuthSettings auth) {
        AgentTokens agentTokens = new AgentTokens(database, clock);
        Audit audit = new Audit(database, clock);
        IntegrationKeys keys = new IntegrationKeys(
                database,
                clock,
                audit,
                config.integrationKeys().entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, entry -> entry.getValue().reveal())),
                config.operators().named().stream()
                        .findFirst()
                        .or(() -> auth.localUser().map(Actor::user)));
        StreamTickets tickets = new StreamTickets(database, clock, agentTokens, keys);
        return new Credentials(
                agentTokens, keys, tickets, audit, new Authenticator(auth, tokens, agentTokens, keys, tickets, clock));
    }

    /** Everything that proves who is calling. */
    private record Credentials(
            AgentTokens agentTokens, IntegrationKeys keys, StreamTickets tickets, Audit audit, Authenticator gate) {}

    private Runs openRuns(Runs.Parts parts, RemoteAgent remote, ModelAgent models) {
        RunSettings settings = new RunSettings(
                limits.runsExecuting(),
                limits.runTime(),
                limits.runOutput(),
                config.shutdownGrace(),
                Duration.ofDays(limits.runEventDays()));
        return new Runs(
                parts,
                Map.of(
                        RegisteredAgent.Kind.DEMO,
                        new DemoAgent(),
                        RegisteredAgent.Kind.AGUI,
                        remote,
                        RegisteredAgent.Kind.MODEL,
                        models),
                config.defaultAgent(),
                settings,
                limits,
                clock);
    }

    /** What is asked for later: the first two must stop before the edge does. */
    private record Following(
            Polls polls, Runs runs, Sweeping sweeping, Ingest ingest, Nodes nodes, Erasures erasures) {}

    private Following addFaces(Database database, AuthSettings auth, Credentials credentials, Names names) {
        LogReader reader = new LogReader(database);
        NodeBus bus = keep(NodeBus.open(config, database, metrics));
        Watches watches = keep(new Watches(reader));
        Activity activity = keep(new Activity(database));
        Committed committed = new Committed();
        Secrets secrets = Secret.revealed(config.secrets());
        Outbound outbound = new Outbound(config.outboundAllow());
        Calls calls = keep(new Calls(outbound));
        ChatPlatforms platforms = keep(ChatPlatforms.open(config, database, calls, credentials.keys(), clock));
        Log log = keep(openLog(database, platforms.transports(), committed));
        Agents agents = new Agents(database, clock);
        keepFileAgents(database);
        ObjectParts objects = openObjects(database);
        Nodes nodes = ThisNode.join(config, auth, database, version());
        Attachments attachments = new Attachments(objects, limits, clock);
        PeopleAndAgents directory = new PeopleAndAgents(names, agents);
        Threads threads = new Threads(database, log, reader, directory, limits, clock);
        Inbox inbox = keep(new Inbox(threads));
        keep(new DeletedThreads(database, attachments::release));
        Sweeping swept = keep(new Sweeping(objects, limits, clock));
        Messages messages = new Messages(log, reader, threads, limits);
        Polls polls = new Polls(reader, watches);
        Tails tails = new Tails(reader, watches, limits);
        Gauge.builder("parley.tails.open", tails, Tails::count)
                .description("Threads whose live end is followed, counted once per kind of viewer")
                .register(metrics);
        OpenStreams open = keep(new OpenStreams(
                threads, watches, credentials.agentTokens(), credentials.keys(), credentials.tickets(), clock));
        RemoteAgent remote = keep(new RemoteAgent(
                agents::find, outbound, secrets, new RemoteAgent.Bounds(limits.remoteFrame(), limits.remoteSilence())));
        ToolServers tools = keep(new ToolServers(config.agentsFile().toolServers(), outbound, secrets, clock));
        ModelAgent models = keep(new ModelAgent(
                agents::find,
                secrets,
                tools,
                new Spending(config.agentsFile().prices(), config.agentsFile().perUser(), clock),
                new ModelAgent.Bounds(limits.remoteFrame(), limits.modelSilence())));
        Contexts contexts = new Contexts(
                database,
                new Assembly(new Fences(FirstStart.signingSecrets(config).getFirst())),
                limits.contextMemory(),
                clock);
        Runs runs = openRuns(
                new Runs.Parts(
                        database,
                        log,
                        reader,
                        threads,
                        messages,
                        agents,
                        attachments,
                        contexts,
                        new Recall(database, messages),
                        nodes),
                remote,
                models);
        nodes.tell(() -> new NodeFigures(runs.executing(), open.count(), log.waiting(), bus.lag()));
        NodeMeters nodeMeters = new NodeMeters(metrics, nodes);
        Figures figures = new Figures(metrics, database);
        keep(new ProcessFigures(metrics, database, config.data(), version()));
        Integrations integrations = keep(new Integrations(
                config,
                new Integrations.Parts(
                        database,
                        log,
                        reader,
                        threads,
                        messages,
                        agents,
                        attachments,
                        directory,
                        outbound,
                        calls,
                        credentials.agentTokens(),
                        credentials.keys(),
                        credentials.audit(),
                        figures),
                platforms,
                clock));
        bus.join(new NodeBus.Parts(watches, inbox, runs, integrations));
        committed.tell(
                open::committed,
                watches::committed,
                activity::committed,
                inbox::committed,
                runs::committed,
                integrations::committed,
                figures::committed,
                bus::committed);
        StreamQuota quota = new StreamQuota(config.rateLimits() ? limits.streamsPerActor() : Integer.MAX_VALUE);
        RateLimits rates = new RateLimits(limits, config.rateLimits());
        new ChatFace(threads, messages, rates, limits).addTo(routes);
        new MessageFace(messages, new Revisions(log, reader, messages, threads, limits), agents, rates, limits)
                .addTo(routes);
        new EventFace(threads, polls, tails, inbox, new Cursors(reader), open, quota, rates, limits).addTo(routes);
        new RunFace(runs, rates, limits).addTo(routes);
        new ContextFace(runs.contexts(), rates).addTo(routes);
        new AttachmentFace(attachments, rates, limits).addTo(routes);
        new ObjectFace(new StoredObjects(objects, limits, clock), rates, limits).addTo(routes);
        new StreamFace(threads, runs, reader, tails, open, quota, rates).addTo(routes);
        WatchStream.Parts watching =
                new WatchStream.Parts(inbox, row -> ChatViews.hint(row, "inbox"), runs, reader, tails, open);
        new WatchStreamFace(threads, watching, quota, rates, limits).addTo(routes);
        new AguiFace(
                        runs,
                        threads,
                        agents,
                        new Streaming(
                                // Half of what may be sent: whoever is shown a conversation adds to it, and sends it
                                // back.
                                new Conversation(messages, reader, attachments, limits.aguiMessages() / 2),
                                reader,
                                tails,
                                open,
                                quota,
                                clock,
                                config.aguiDisconnect(),
                                config.defaultAgent(),
                                version()),
                        rates,
                        limits)
                .addTo(routes);
        Optional<OidcSettings> oidc = Optional.ofNullable(config.oidc());
        History.Parts said = new History.Parts(
                threads, new LatestThread(database), messages, new DayReader(database), runs, attachments);
        new HistoryFace(new History(said, config.locale()), rates, limits).addTo(routes);
        new IdentityFace(
                        credentials.gate()::needsNoToken,
                        oidc.map(each -> new OidcClient(each.issuer().toString(), each.clientId(), each.scope()))
                                .orElse(null),
                        credentials.tickets(),
                        rates,
                        limits)
                .addTo(routes);
        new OwnerFace(
                        agents,
                        credentials.agentTokens(),
                        rates,
                        limits,
                        secrets,
                        config.agentsFile().toolServers().keySet())
                .addTo(routes);
        new OperatorFace(credentials.keys(), credentials.audit(), limits).addTo(routes);
        Erasures erasures = keep(new Erasures(
                new Erasures.Parts(
                        database, log, runs, contexts, new ErasedObjects(objects, limits), credentials.audit()),
                config.retentionDays(),
                limits,
                clock));
        new ErasureFace(erasures, limits).addTo(routes);
        integrations.addTo(routes, rates);
        SessionDoors sessions = SessionDoors.open(
                new SessionDoors.Parts(database, log, threads, messages, agents, attachments, runs, prices()),
                limits,
                clock);
        new Sessions(sessions, rates, limits).addTo(routes);
        new NodeFace(nodes).addTo(routes);
        new HealthFace(
                        database,
                        attachments,
                        log,
                        bus::isLate,
                        nodes,
                        () -> {
                            nodeMeters.refresh();
                            return metrics.scrape();
                        },
                        credentials.gate(),
                        version())
                .addTo(routes);
        new DocsFace().addTo(routes);
        new ConsoleFace(Server.class.getClassLoader(), oidc.map(OidcSettings::origin)).addTo(routes);
        return new Following(polls, runs, swept, integrations.ingest(), nodes, erasures);
    }

    private void keepFileAgents(Database database) {
        if (!config.agentsFile().given()) {
            // Other nodes may have one.
            return;
        }
        try {
            FileAgents.agree(database, clock, config.agentsFile().agents());
        } catch (IllegalArgumentException taken) {
            throw new ConfigException("agents." + taken.getMessage()
                    + ".id is the id of an agent that was registered otherwise; give it another one.");
        }
    }

    private HttpEdge<Principal> listen(Gate<Principal> gate) {
        try {
            return HttpEdge.start(
                    httpSettings(),
                    BrowserRules.of(
                            config.corsOrigins(),
                            Optional.ofNullable(config.listen().publicUrl())),
                    routes,
                    gate,
                    metrics);
        } catch (IllegalStateException taken) {
            throw cannotListen(taken);
        }
    }

    /** Asked before anything is started: a taken port should not cost the start of a database to find out. */
    private void requireFreePort() {
        if (config.listen().port() == 0) {
            return;
        }
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(
                    config.listen().host(), config.listen().port()));
        } catch (IOException taken) {
            throw cannotListen(taken);
        }
    }

    private CannotListen cannotListen(Exception why) {
        return new CannotListen(
                "Cannot listen on " + config.listen().host() + ":"
                        + config.listen().port() + " (" + reason(why)
                        + "); choose another port with --port, or 0 for any free one.",
                why);
    }

    private static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }

    private HttpSettings httpSettings() {
        HttpSettings standard =
                HttpSettings.standard(config.listen().host(), config.listen().port());
        return new HttpSettings(
                standard.host(),
                standard.port(),
                standard.eventLoops(),
                limits.inFlight(),
                limits.waitingPolls(),
                limits.largeBodies(),
                (int) limits.headerBytes(),
                limits.headTimeout(),
                limits.bodyTimeout(),
                limits.uploadTime(),
                standard.idleTimeout(),
                (int) limits.drainBytes(),
                limits.drainTime(),
                limits.heartbeat(),
                limits.slowReader(),
                limits.parcelTime(),
                standard.sseQueueBytes(),
                standard.sendBufferBytes());
    }

    static String version() {
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
        return ingest;
    }

    /** Removes objects that nobody needs now, instead of some time later. */
    public void sweepObjects() {
        sweeping.sweep();
    }

    /** Erases now what is too old, instead of some time later. */
    public void sweepRetention() {
        erasures.retention().sweep();
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
