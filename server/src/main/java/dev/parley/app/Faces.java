package dev.parley.app;

import dev.parley.agents.model.Prices;
import dev.parley.app.config.Config;
import dev.parley.app.config.OidcSettings;
import dev.parley.app.metrics.NodeMeters;
import dev.parley.attachments.StoredObjects;
import dev.parley.auth.Principal;
import dev.parley.auth.RateLimits;
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
import dev.parley.http.Routes;
import dev.parley.limits.Limits;
import dev.parley.log.DayReader;
import dev.parley.protocol.chat.OidcClient;
import dev.parley.runs.AgentMessages;
import dev.parley.sessions.SessionServices;
import dev.parley.streaming.StreamQuota;
import dev.parley.threads.LatestThread;
import dev.parley.threads.Revisions;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.util.Optional;

/** All faces of a server, each put over the features that it speaks for. */
final class Faces {
    private final Config config;
    private final Limits limits;
    private final Clock clock;
    private final Features built;
    private final Credentials credentials;
    private final StreamQuota quota;
    private final RateLimits rates;

    Faces(Config config, Clock clock, Features built, Credentials credentials) {
        this.config = config;
        this.limits = config.limits();
        this.clock = clock;
        this.built = built;
        this.credentials = credentials;
        this.quota =
                new StreamQuota(config.access().rateLimits() ? limits.streams().perActor() : Integer.MAX_VALUE);
        this.rates = new RateLimits(limits.rates(), config.access().rateLimits());
    }

    void addTo(Routes<Principal> routes, PrometheusMeterRegistry metrics) {
        addConversations(routes);
        addRuns(routes);
        addPeople(routes);
        built.integrations.addTo(routes, rates);
        SessionServices sessions = SessionServices.open(
                new SessionServices.Dependencies(
                        built.database,
                        built.log,
                        built.threads,
                        built.messages,
                        built.agents,
                        built.attachments,
                        built.runs,
                        new Prices(config.agents().file().prices())),
                limits,
                clock);
        new SessionRoutes(sessions, rates, limits).addTo(routes);
        addOperation(routes, metrics);
        new DocsFace().addTo(routes);
        new ConsoleFace(Server.class.getClassLoader(), oidc().map(OidcSettings::origin)).addTo(routes);
    }

    private Optional<OidcSettings> oidc() {
        return Optional.ofNullable(config.access().oidc());
    }

    private void addConversations(Routes<Principal> routes) {
        new ChatFace(built.threads, built.messages, rates, limits.requests()).addTo(routes);
        Revisions revisions = new Revisions(
                built.log,
                built.reader,
                built.messages,
                built.threads,
                limits.requests().opaqueId());
        AgentMessages agentMessages = new AgentMessages(
                built.runs, built.messages, built.threads, limits.requests().opaqueId());
        new MessageFace(built.messages, agentMessages, built.runs, revisions, built.agents, rates, limits.requests())
                .addTo(routes);
        new EventFace(
                        built.threads,
                        built.polls,
                        built.tails,
                        built.inbox,
                        new Cursors(built.reader),
                        built.open,
                        quota,
                        rates,
                        limits.requests())
                .addTo(routes);
        new AttachmentFace(
                        built.attachments,
                        rates,
                        limits.objects(),
                        limits.requests().opaqueId())
                .addTo(routes);
        new ObjectFace(
                        new StoredObjects(
                                built.objects,
                                limits.objects(),
                                limits.requests().metadataBytes(),
                                clock),
                        rates,
                        limits.requests(),
                        limits.objects())
                .addTo(routes);
        History.Dependencies said = new History.Dependencies(
                built.threads,
                new LatestThread(built.database),
                built.messages,
                new DayReader(built.database),
                built.runs,
                built.attachments);
        new HistoryFace(
                        new History(
                                said,
                                config.agents().locale(),
                                limits.requests().pageBytes()),
                        rates,
                        limits.threads().historyDay())
                .addTo(routes);
    }

    private void addRuns(Routes<Principal> routes) {
        new RunFace(built.runs, rates, limits.requests(), limits.runs().body()).addTo(routes);
        new ContextFace(built.runs.contexts(), rates).addTo(routes);
        new StreamFace(built.threads, built.runs, built.reader, built.tails, built.open, quota, rates).addTo(routes);
        WatchStream.Dependencies watching = new WatchStream.Dependencies(
                built.inbox, row -> ChatViews.hint(row, "inbox"), built.runs, built.reader, built.tails, built.open);
        new WatchStreamFace(
                        built.threads, watching, quota, rates, limits.streams().threads())
                .addTo(routes);
        // Half of what may be sent: whoever is shown a conversation adds to it, and sends it back.
        Conversation conversation = new Conversation(
                built.messages,
                built.reader,
                built.attachments,
                built.runs.usages(),
                limits.agui().messages() / 2);
        Streaming streaming = new Streaming(
                conversation,
                built.reader,
                built.tails,
                built.open,
                quota,
                clock,
                config.agents().disconnect(),
                config.agents().defaultAgent(),
                Server.version());
        new AguiFace(
                        built.runs,
                        built.threads,
                        built.agents,
                        streaming,
                        rates,
                        limits.agui(),
                        limits.requests().body())
                .addTo(routes);
    }

    private void addPeople(Routes<Principal> routes) {
        new IdentityFace(
                        credentials.gate()::needsNoToken,
                        oidc().map(each -> new OidcClient(each.issuer().toString(), each.clientId(), each.scope()))
                                .orElse(null),
                        credentials.tickets(),
                        rates,
                        limits.requests())
                .addTo(routes);
        new OwnerFace(
                        built.agents,
                        credentials.agentTokens(),
                        rates,
                        limits.requests(),
                        built.secrets,
                        config.agents().file().toolServers().keySet())
                .addTo(routes);
    }

    private void addOperation(Routes<Principal> routes, PrometheusMeterRegistry metrics) {
        new OperatorFace(credentials.keys(), credentials.audit(), limits.requests()).addTo(routes);
        new ErasureFace(built.erasures, limits.requests(), limits.threads().title()).addTo(routes);
        new NodeFace(built.nodes).addTo(routes);
        NodeMeters nodeMeters = new NodeMeters(metrics, built.nodes);
        new HealthFace(
                        built.database,
                        built.attachments,
                        built.log,
                        built.bus::isLate,
                        built.nodes,
                        () -> {
                            nodeMeters.refresh();
                            return metrics.scrape();
                        },
                        credentials.gate(),
                        Server.version())
                .addTo(routes);
    }
}
