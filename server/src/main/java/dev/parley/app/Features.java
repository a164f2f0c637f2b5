package dev.parley.app;

import dev.parley.agents.model.Prices;
import dev.parley.app.config.Config;
import dev.parley.app.metrics.Figures;
import dev.parley.app.metrics.NodeMeters;
import dev.parley.app.metrics.ProcessFigures;
import dev.parley.attachments.BlobSweeper;
import dev.parley.attachments.ErasedObjects;
import dev.parley.auth.AuthSettings;
import dev.parley.auth.RateLimits;
import dev.parley.erasure.Erasures;
import dev.parley.erasure.Retention;
import dev.parley.log.LogPages;
import dev.parley.log.LogReader;
import dev.parley.nodes.NodeFigures;
import dev.parley.nodes.Nodes;
import dev.parley.nodes.WorkIntake;
import dev.parley.sessions.SessionServices;
import dev.parley.storage.Database;
import dev.parley.streaming.Watches;
import dev.parley.threads.Activity;
import dev.parley.threads.DeletedThreads;
import dev.parley.threads.DisplayNames;
import dev.parley.threads.ThreadFactsCache;
import java.net.URI;
import java.util.List;
import java.util.function.Supplier;

/** The features of a server, built by hand from the bottom up and connected to each other. */
final class Features {
    final RateLimits rates;
    final Outgoing outgoing;
    final LogServices logs;
    final NodeBus bus;
    final Nodes nodes;
    final NodeMeters nodeMeters;
    final WorkIntake intake;
    final AgentServices agents;
    final ObjectServices objects;
    final BlobSweeper sweeper;
    final ThreadServices threads;
    final Watches watches;
    final StreamServices streams;
    final RunServices runs;
    final HistoryServices history;
    final DeliveryServices delivery;
    final IngestServices ingest;
    final List<ChatPlatforms.Connected> platforms;
    final SessionServices sessions;
    final Erasures erasures;

    /** @param publicUrl the address at which callers reach the server; read only after the server listens */
    Features(Foundation base, AuthSettings auth, Credentials credentials, DisplayNames names, Supplier<URI> publicUrl) {
        Config config = base.config();
        Database database = base.database();
        rates = new RateLimits(base.limits().rates(), config.access().rateLimits());
        LogReader reader = new LogReader(database);
        bus = base.keep(NodeBus.open(config, database, base.metrics()));
        watches = base.keep(new Watches(reader));
        Activity activity = base.keep(new Activity(database));
        CommitListeners listeners = new CommitListeners();
        outgoing = Outgoing.open(base);
        ChatPlatforms chatPlatforms = base.keep(ChatPlatforms.open(base, outgoing.calls(), credentials.keys()));
        ThreadFactsCache facts = new ThreadFactsCache();
        logs = new LogServices(
                base.keep(LogRules.open(
                        config, base.clock(), database, chatPlatforms.transports(), facts, listeners, base.metrics())),
                reader,
                new LogPages(database),
                facts);
        agents = AgentServices.open(base, outgoing);
        objects = ObjectServices.open(base, publicUrl);
        intake = new WorkIntake(config.node().shutdownDrain());
        nodes = ThisNode.join(config, auth, database, Server.version());
        threads = ThreadServices.open(base, logs, names, agents.agents(), intake);
        base.keep(new DeletedThreads(database, ThreadPurgers.of(objects.attachments())));
        sweeper = base.keep(new BlobSweeper(objects.parts(), base.limits().objects(), base.clock()));
        streams = StreamServices.open(base, logs, watches, threads.access(), credentials);
        runs = RunServices.open(base, logs, threads, objects, agents, nodes, intake, credentials.agentTokens());
        history = HistoryServices.open(base, logs, threads, objects, runs);
        Figures figures = new Figures(base.metrics(), database);
        delivery = DeliveryServices.open(
                base, logs, threads.access(), outgoing, chatPlatforms.transports(), credentials, figures);
        ingest = IngestServices.open(
                base, logs, threads, agents.agents(), objects.attachments(), delivery.deliveries(), intake);
        platforms = chatPlatforms.connect(ingest.ingest(), credentials.keys());
        sessions = sessions(base);
        erasures = erasures(base, credentials);
        base.keep(new ProcessFigures(base.metrics(), database, config.data(), Server.version()));
        nodeMeters = new NodeMeters(base.metrics(), nodes);
        nodes.tell(() -> new NodeFigures(
                runs.runs().executing(), streams.open().count(), logs.log().waiting(), bus.lag()));
        bus.join(new NodeBus.Receivers(watches, streams.inbox(), runs.runs(), delivery.deliverer()));
        listeners.register(
                streams.open()::committed,
                watches::committed,
                activity::committed,
                streams.inbox()::committed,
                runs.runs()::committed,
                delivery.deliverer()::committed,
                delivery.typing()::committed,
                figures::committed,
                bus::committed);
    }

    private SessionServices sessions(Foundation base) {
        return SessionServices.open(
                new SessionServices.Dependencies(
                        base.database(),
                        logs.log(),
                        threads.threads(),
                        threads.access(),
                        threads.messages(),
                        agents.agents(),
                        objects.attachments(),
                        runs.runs(),
                        new Prices(base.config().agents().file().prices())),
                base.limits(),
                base.clock());
    }

    private Erasures erasures(Foundation base, Credentials credentials) {
        Retention.Days days = new Retention.Days(
                base.config().stores().retentionDays(), base.limits().contexts().days());
        return base.keep(new Erasures(
                base.database(),
                logs.log(),
                runs.runs(),
                runs.contexts(),
                new ErasedObjects(objects.parts(), base.limits().objects()),
                credentials.audit(),
                days,
                base.clock()));
    }
}
