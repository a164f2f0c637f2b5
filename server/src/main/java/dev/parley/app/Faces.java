package dev.parley.app;

import dev.parley.app.config.Config;
import dev.parley.app.config.OidcSettings;
import dev.parley.auth.Principal;
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
import dev.parley.face.chat.WebhookFace;
import dev.parley.face.console.ConsoleFace;
import dev.parley.face.docs.DocsFace;
import dev.parley.face.identity.IdentityFace;
import dev.parley.face.identity.LinkFace;
import dev.parley.face.ingest.IngestFace;
import dev.parley.face.ingest.TraceFace;
import dev.parley.face.integrations.PlatformFace;
import dev.parley.face.objects.ObjectFace;
import dev.parley.face.operator.DeadLetterFace;
import dev.parley.face.operator.ErasureFace;
import dev.parley.face.operator.HealthFace;
import dev.parley.face.operator.NodeFace;
import dev.parley.face.operator.OperatorFace;
import dev.parley.face.owner.OwnerFace;
import dev.parley.face.sessions.ChatEventFace;
import dev.parley.face.sessions.DocumentFace;
import dev.parley.face.sessions.RunEventFace;
import dev.parley.face.sessions.SessionFace;
import dev.parley.face.sessions.SessionRunFace;
import dev.parley.http.Routes;
import dev.parley.limits.Limits;
import dev.parley.protocol.chat.OidcClient;
import dev.parley.runs.Runs;
import dev.parley.sessions.SessionServices;
import dev.parley.threads.Messages;
import dev.parley.threads.ThreadAccess;
import dev.parley.threads.Threads;
import java.util.Optional;

/** The faces of a server, each built over the features that it serves. Every route is added here. */
final class Faces {
    private final Foundation base;
    private final Limits limits;
    private final Limits.Requests common;
    private final Features built;
    private final Credentials credentials;

    Faces(Foundation base, Features built, Credentials credentials) {
        this.base = base;
        this.limits = base.limits();
        this.common = limits.requests();
        this.built = built;
        this.credentials = credentials;
    }

    void addTo(Routes<Principal> routes) {
        addConversations(routes);
        addObjects(routes);
        addRuns(routes);
        addPeople(routes);
        addIntegrations(routes);
        addSessions(routes);
        addOperation(routes);
        new DocsFace().addTo(routes);
        new ConsoleFace(Server.class.getClassLoader(), oidc().map(OidcSettings::origin)).addTo(routes);
    }

    private Optional<OidcSettings> oidc() {
        return Optional.ofNullable(base.config().access().oidc());
    }

    private void addConversations(Routes<Principal> routes) {
        Threads threads = built.threads.threads();
        ThreadAccess access = built.threads.access();
        Messages messages = built.threads.messages();
        StreamServices streams = built.streams;
        new ChatFace(threads, access, built.threads.participants(), messages, common).addTo(routes);
        new MessageFace(
                        messages,
                        built.runs.messages(),
                        built.runs.runs(),
                        built.threads.revisions(),
                        built.agents.agents(),
                        common)
                .addTo(routes);
        new EventFace(
                        access,
                        streams.polls(),
                        streams.tails(),
                        streams.inbox(),
                        new Cursors(built.logs.reader()),
                        streams.open(),
                        streams.quota(),
                        common)
                .addTo(routes);
        new HistoryFace(built.history.history(), limits.threads().historyDay()).addTo(routes);
    }

    private void addObjects(Routes<Principal> routes) {
        new AttachmentFace(built.objects.attachments(), limits.objects(), common.opaqueId()).addTo(routes);
        new ObjectFace(built.objects.stored(), built.rates, common, limits.objects()).addTo(routes);
    }

    private void addRuns(Routes<Principal> routes) {
        Runs runs = built.runs.runs();
        ThreadAccess access = built.threads.access();
        StreamServices streams = built.streams;
        new RunFace(runs, common, limits.runs().body()).addTo(routes);
        new ContextFace(runs.contexts()).addTo(routes);
        new StreamFace(access, runs, built.logs.reader(), streams.tails(), streams.open(), streams.quota())
                .addTo(routes);
        WatchStream.Dependencies watching = new WatchStream.Dependencies(
                streams.inbox(),
                row -> ChatViews.hint(row, "inbox"),
                runs,
                built.logs.reader(),
                streams.tails(),
                streams.open());
        new WatchStreamFace(access, watching, streams.quota(), limits.streams().threads()).addTo(routes);
        Config.AgentSettings agents = base.config().agents();
        Streaming streaming = new Streaming(
                built.history.conversation(),
                built.logs.reader(),
                streams.tails(),
                streams.open(),
                streams.quota(),
                base.clock(),
                agents.disconnect(),
                agents.defaultAgent(),
                Server.version());
        new AguiFace(runs, access, built.agents.agents(), streaming, limits.agui(), common.body()).addTo(routes);
    }

    private void addPeople(Routes<Principal> routes) {
        new IdentityFace(
                        credentials.gate()::needsNoToken,
                        oidc().map(each -> new OidcClient(each.issuer().toString(), each.clientId(), each.scope()))
                                .orElse(null),
                        credentials.tickets(),
                        common)
                .addTo(routes);
        new OwnerFace(
                        built.agents.agents(),
                        credentials.agentTokens(),
                        common,
                        built.outgoing.secrets(),
                        base.config().agents().file().toolServers().keySet())
                .addTo(routes);
    }

    private void addIntegrations(Routes<Principal> routes) {
        DeliveryServices delivery = built.delivery;
        IngestServices ingest = built.ingest;
        new WebhookFace(delivery.webhooks(), delivery.deliveries(), built.threads.access(), common).addTo(routes);
        new DeadLetterFace(delivery.deadLetters(), common).addTo(routes);
        new LinkFace(ingest.links(), common, limits.ingest().externalId()).addTo(routes);
        new TraceFace(ingest.traces()).addTo(routes);
        new IngestFace(ingest.ingest(), limits.ingest().body(), common.body()).addTo(routes);
        for (ChatPlatforms.Connected each : built.platforms) {
            new PlatformFace(each.platform(), each.sink(), common.body()).addTo(routes);
        }
    }

    private void addSessions(Routes<Principal> routes) {
        SessionServices sessions = built.sessions;
        new ChatEventFace(sessions.events(), sessions.reading(), sessions.threads(), limits.sessions(), common)
                .addTo(routes);
        new RunEventFace(sessions.streams(), limits.sessions(), common).addTo(routes);
        new SessionRunFace(sessions.runs(), limits.sessions(), common.page()).addTo(routes);
        new DocumentFace(sessions.documents(), limits.sessions()).addTo(routes);
        new SessionFace(sessions.list(), sessions.metrics(), common).addTo(routes);
    }

    private void addOperation(Routes<Principal> routes) {
        new OperatorFace(credentials.keys(), credentials.audit(), common).addTo(routes);
        new ErasureFace(built.erasures, common, limits.threads().title()).addTo(routes);
        new NodeFace(built.nodes).addTo(routes);
        new HealthFace(
                        base.database(),
                        built.objects.attachments(),
                        built.logs.log(),
                        built.bus::isLate,
                        built.nodes,
                        () -> {
                            built.nodeMeters.refresh();
                            return base.metrics().scrape();
                        },
                        credentials.gate(),
                        Server.version())
                .addTo(routes);
    }
}
