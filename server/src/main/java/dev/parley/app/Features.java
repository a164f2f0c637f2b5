package dev.parley.app;

import dev.parley.agents.Agents;
import dev.parley.agents.FileAgents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.agents.demo.DemoAgent;
import dev.parley.agents.model.ModelAgent;
import dev.parley.agents.model.Spending;
import dev.parley.agents.remote.RemoteAgent;
import dev.parley.agents.tools.ToolServers;
import dev.parley.app.config.Config;
import dev.parley.app.config.ConfigException;
import dev.parley.app.config.Secret;
import dev.parley.assembly.Assembly;
import dev.parley.assembly.Fences;
import dev.parley.attachments.Attachments;
import dev.parley.attachments.BlobStore;
import dev.parley.attachments.BlobSweeper;
import dev.parley.attachments.ErasedObjects;
import dev.parley.attachments.ObjectParts;
import dev.parley.attachments.ObjectUrls;
import dev.parley.attachments.UrlTokens;
import dev.parley.auth.AuthSettings;
import dev.parley.contexts.Contexts;
import dev.parley.erasure.Erasures;
import dev.parley.limits.Limits;
import dev.parley.log.Log;
import dev.parley.log.LogPages;
import dev.parley.log.LogReader;
import dev.parley.log.MessageFinder;
import dev.parley.log.RevisionReader;
import dev.parley.nodes.NodeFigures;
import dev.parley.nodes.Nodes;
import dev.parley.nodes.WorkIntake;
import dev.parley.outbound.Calls;
import dev.parley.outbound.Outbound;
import dev.parley.outbound.Secrets;
import dev.parley.runs.RunSettings;
import dev.parley.runs.Runs;
import dev.parley.storage.Database;
import dev.parley.streaming.Inbox;
import dev.parley.streaming.OpenStreams;
import dev.parley.streaming.Polls;
import dev.parley.streaming.Tails;
import dev.parley.streaming.Watches;
import dev.parley.threads.Activity;
import dev.parley.threads.DeletedThreads;
import dev.parley.threads.DisplayNames;
import dev.parley.threads.Messages;
import dev.parley.threads.Recall;
import dev.parley.threads.Threads;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/** All features of a server, built by hand and from the bottom up, and told of each other where they must be. */
final class Features {
    final Database database;
    final LogReader reader;
    final Log log;
    final NodeBus bus;
    final Nodes nodes;
    final WorkIntake intake;
    final Agents agents;
    final ObjectParts objects;
    final Attachments attachments;
    final BlobSweeper sweeping;
    final Threads threads;
    final Messages messages;
    final Inbox inbox;
    final Watches watches;
    final Polls polls;
    final Tails tails;
    final OpenStreams open;
    final Runs runs;
    final Integrations integrations;
    final Erasures erasures;
    final Secrets secrets;

    private final Config config;
    private final Clock clock;
    private final Limits limits;
    private final Closer closer;

    /**
     * @param closer stops every part, in the reverse order of their start
     * @param publicUrl where callers reach the server; asked for once it listens
     */
    Features(
            Config config,
            Clock clock,
            Database database,
            AuthSettings auth,
            Credentials credentials,
            DisplayNames names,
            PrometheusMeterRegistry metrics,
            Closer closer,
            Supplier<URI> publicUrl) {
        this.config = config;
        this.clock = clock;
        this.limits = config.limits();
        this.database = database;
        this.closer = closer;
        reader = new LogReader(database);
        LogPages pages = new LogPages(database);
        bus = closer.keep(NodeBus.open(config, database, metrics));
        watches = closer.keep(new Watches(reader));
        Activity activity = closer.keep(new Activity(database));
        CommitListeners listeners = new CommitListeners();
        secrets = Secret.revealed(config.secrets());
        Outbound outbound = new Outbound(config.outboundAllow());
        Calls calls = closer.keep(new Calls(outbound));
        ChatPlatforms platforms = closer.keep(ChatPlatforms.open(config, database, calls, credentials.keys(), clock));
        log = closer.keep(LogRules.open(config, clock, database, platforms.transports(), listeners, metrics));
        agents = new Agents(database, clock);
        keepFileAgents();
        objects = openObjects(publicUrl);
        intake = new WorkIntake(config.shutdownDrain());
        nodes = ThisNode.join(config, auth, database, Server.version());
        attachments = new Attachments(objects, limits, clock);
        ThreadDirectory directory = new ThreadDirectory(names, agents);
        threads = new Threads(database, log, directory, limits, clock);
        inbox = closer.keep(new Inbox(threads));
        closer.keep(new DeletedThreads(database, ThreadPurgers.of(attachments)));
        sweeping = closer.keep(new BlobSweeper(objects, limits, clock));
        messages = new Messages(
                log,
                reader,
                pages,
                new RevisionReader(database),
                new MessageFinder(database, limits.filterScan()),
                threads,
                intake,
                limits);
        polls = new Polls(pages, watches);
        tails = new Tails(reader, watches, limits);
        Gauge.builder("parley.tails.open", tails, Tails::count)
                .description("Threads whose live end is followed, counted once per kind of viewer")
                .register(metrics);
        open = closer.keep(new OpenStreams(
                threads, watches, credentials.agentTokens(), credentials.keys(), credentials.tickets(), clock));
        Contexts contexts = new Contexts(
                database,
                new Assembly(new Fences(FirstStart.signingSecrets(config).getFirst())),
                limits.contextMemory(),
                clock);
        // A server that listens stops them earlier.
        runs = closer.keep(openRuns(contexts, outbound, credentials));
        Gauge.builder("parley.runs.callers.over.share", runs, Runs::callersOverShare)
                .description("Callers with queued runs that wait for other runs of the same caller on this node")
                .register(metrics);
        Figures figures = new Figures(metrics, database);
        integrations = closer.keep(new Integrations(
                config,
                new Integrations.Dependencies(
                        database,
                        log,
                        reader,
                        threads,
                        messages,
                        intake,
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
        erasures = closer.keep(new Erasures(
                new Erasures.Dependencies(
                        database, log, runs, contexts, new ErasedObjects(objects, limits), credentials.audit()),
                config.retentionDays(),
                limits,
                clock));
        closer.keep(new ProcessFigures(metrics, database, config.data(), Server.version()));
        nodes.tell(() -> new NodeFigures(runs.executing(), open.count(), log.waiting(), bus.lag()));
        bus.join(new NodeBus.Receivers(watches, inbox, runs, integrations));
        listeners.tell(
                open::committed,
                watches::committed,
                activity::committed,
                inbox::committed,
                runs::committed,
                integrations::committed,
                figures::committed,
                bus::committed);
    }

    private void keepFileAgents() {
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

    private ObjectParts openObjects(Supplier<URI> publicUrl) {
        BlobStore store = closer.keep(BlobStores.open(config.storage(), config.data()));
        UrlTokens tokens = new UrlTokens(FirstStart.signingSecrets(config), clock);
        ObjectUrls urls = new ObjectUrls(tokens, publicUrl);
        return closer.keep(ObjectParts.of(database, store, config.data().resolve("arriving"), urls, tokens, limits));
    }

    private Runs openRuns(Contexts contexts, Outbound outbound, Credentials credentials) {
        RemoteAgent remote = closer.keep(new RemoteAgent(
                agents::find, outbound, secrets, new RemoteAgent.Bounds(limits.remoteFrame(), limits.remoteSilence())));
        ToolServers tools = closer.keep(new ToolServers(config.agentsFile().toolServers(), outbound, secrets, clock));
        ModelAgent models = closer.keep(new ModelAgent(
                agents::find,
                secrets,
                tools,
                new Spending(config.agentsFile().prices(), config.agentsFile().perUser(), clock),
                new ModelAgent.Bounds(limits.remoteFrame(), limits.modelSilence())));
        return new Runs(
                new Runs.Dependencies(
                        database,
                        log,
                        reader,
                        threads,
                        messages,
                        agents,
                        attachments,
                        contexts,
                        new Recall(database, messages),
                        nodes,
                        intake,
                        credentials.agentTokens()),
                Map.of(
                        RegisteredAgent.Kind.DEMO,
                        new DemoAgent(),
                        RegisteredAgent.Kind.AGUI,
                        remote,
                        RegisteredAgent.Kind.MODEL,
                        models),
                config.defaultAgent(),
                new RunSettings(
                        limits.runsExecuting(),
                        limits.runTime(),
                        limits.runOutput(),
                        config.shutdownGrace(),
                        Duration.ofDays(limits.runEventDays())),
                limits,
                clock);
    }
}
