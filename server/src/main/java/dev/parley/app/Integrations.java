package dev.parley.app;

import dev.parley.agents.Agents;
import dev.parley.app.config.Config;
import dev.parley.app.data.FirstStart;
import dev.parley.app.metrics.Figures;
import dev.parley.attachments.Attachments;
import dev.parley.auth.AgentTokens;
import dev.parley.auth.Audit;
import dev.parley.auth.IdentityLinks;
import dev.parley.auth.IntegrationKeys;
import dev.parley.auth.Principal;
import dev.parley.auth.RateLimits;
import dev.parley.delivery.DeadLetters;
import dev.parley.delivery.Deliverer;
import dev.parley.delivery.Deliveries;
import dev.parley.delivery.Destinations;
import dev.parley.delivery.Typing;
import dev.parley.delivery.WebhookSecrets;
import dev.parley.delivery.Webhooks;
import dev.parley.face.chat.ChatViews;
import dev.parley.face.chat.WebhookFace;
import dev.parley.face.identity.LinkFace;
import dev.parley.face.ingest.IngestFace;
import dev.parley.face.ingest.TraceFace;
import dev.parley.face.operator.DeadLetterFace;
import dev.parley.http.Routes;
import dev.parley.ingest.Ingest;
import dev.parley.ingest.Traces;
import dev.parley.limits.Limits;
import dev.parley.log.Event;
import dev.parley.log.Log;
import dev.parley.log.LogReader;
import dev.parley.nodes.WorkIntake;
import dev.parley.outbound.Calls;
import dev.parley.outbound.Outbound;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import dev.parley.threads.Messages;
import dev.parley.threads.SourceRevisions;
import dev.parley.threads.SourceThreads;
import dev.parley.threads.Threads;
import java.time.Clock;
import java.util.Collection;
import java.util.List;

/** What comes in from other places and what goes out to them: ingest, replies and webhooks, wired, with their routes. */
final class Integrations implements AutoCloseable {
    private final Config config;
    private final Limits limits;
    private final Clock clock;
    private final Dependencies parts;
    private final ChatPlatforms platforms;
    private final WebhookSecrets secrets;
    private final Deliveries deliveries;
    private final IdentityLinks links;
    private final Ingest ingest;
    private final Deliverer deliverer;
    private final Typing typing;

    /** What they are built on. */
    record Dependencies(
            Database database,
            Log log,
            LogReader reader,
            Threads threads,
            Messages messages,
            WorkIntake intake,
            Agents agents,
            Attachments attachments,
            ThreadDirectory directory,
            Outbound outbound,
            Calls calls,
            AgentTokens tokens,
            IntegrationKeys keys,
            Audit audit,
            Figures figures) {}

    Integrations(Config config, Dependencies parts, ChatPlatforms platforms, Clock clock) {
        this.config = config;
        this.limits = config.limits();
        this.clock = clock;
        this.parts = parts;
        this.platforms = platforms;
        this.secrets = new WebhookSecrets(FirstStart.signingSecrets(config));
        this.deliveries = new Deliveries(parts.database());
        this.links = new IdentityLinks(parts.database(), clock);
        this.ingest = openIngest();
        this.deliverer = openDeliverer();
        parts.figures().watch(deliverer);
        this.typing = new Typing(parts.database(), platforms.transports());
    }

    private Ingest openIngest() {
        return new Ingest(
                new Ingest.Dependencies(
                        parts.database(),
                        parts.log(),
                        new SourceThreads(
                                parts.database(),
                                parts.log(),
                                parts.directory(),
                                limits.threads().participants(),
                                clock),
                        new SourceRevisions(parts.log(), parts.reader(), parts.messages()),
                        parts.messages(),
                        parts.intake(),
                        parts.agents(),
                        parts.attachments(),
                        new Destinations(clock),
                        deliveries,
                        links),
                config.agents().defaultAgent(),
                limits,
                clock);
    }

    private Deliverer openDeliverer() {
        return Deliverer.start(
                new Deliverer.Dependencies(
                        parts.database(),
                        parts.reader(),
                        parts.log(),
                        parts.threads(),
                        parts.tokens(),
                        parts.calls(),
                        secrets,
                        ChatViews::webhookBody),
                platforms.transports(),
                parts.figures()::deliveryEnded,
                limits.delivery(),
                clock);
    }

    Ingest ingest() {
        return ingest;
    }

    /** Told of commits. */
    void committed(List<Event> events) {
        deliverer.committed(events);
        typing.committed(events);
    }

    /** Another node says that something may be due in these threads which it has no place for. */
    void dueElsewhere(Collection<ThreadId> threads) {
        deliverer.due(threads);
    }

    /** Whether this node could serve one more place. */
    boolean hasRoom() {
        return deliverer.hasRoom();
    }

    /** Adds the routes; from here on platforms may bring messages. */
    void addTo(Routes<Principal> routes, RateLimits rates) {
        Webhooks webhooks = new Webhooks(
                new Webhooks.Dependencies(parts.database(), parts.threads(), parts.reader(), parts.outbound(), secrets),
                limits.delivery(),
                clock);
        new WebhookFace(webhooks, deliveries, parts.threads(), rates, limits.requests()).addTo(routes);
        new DeadLetterFace(new DeadLetters(parts.database(), parts.audit()), limits.requests()).addTo(routes);
        new LinkFace(links, rates, limits.requests(), limits.ingest().externalId()).addTo(routes);
        new TraceFace(new Traces(parts.database(), deliveries), rates).addTo(routes);
        new IngestFace(ingest, rates, limits.ingest().body(), limits.requests().body()).addTo(routes);
        platforms.start(ingest, parts.keys(), routes, config);
    }

    @Override
    public void close() {
        typing.close();
        deliverer.close();
    }
}
