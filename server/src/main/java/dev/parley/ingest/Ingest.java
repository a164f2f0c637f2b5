package dev.parley.ingest;

import dev.parley.agents.Agents;
import dev.parley.attachments.Attachments;
import dev.parley.auth.IdentityLinks;
import dev.parley.auth.Principal;
import dev.parley.basics.Text;
import dev.parley.delivery.Deliveries;
import dev.parley.delivery.Destinations;
import dev.parley.limits.Limits;
import dev.parley.log.Log;
import dev.parley.nodes.WorkIntake;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import dev.parley.threads.Messages;
import dev.parley.threads.SourceRevisions;
import dev.parley.threads.SourceThreads;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The front door of what integrations and platforms bring: everything is stored, once, and decided about. */
public final class Ingest {
    private static final Logger LOG = LoggerFactory.getLogger(Ingest.class);
    /** Locks for conversations whose platform shows everything twice, shared by those that fall together. */
    private static final int LOCKS = 1_024;

    private final InboundEvents events;
    private final Conversations conversations;
    private final InboundAppender appender;
    private final Recognition recognition;
    private final InboundRevisions revisions;
    private final Explaining explaining;
    private final IngestFiles files;
    private final RemoteFiles remoteFiles;
    private final Lock[] locks =
            Stream.generate(ReentrantLock::new).limit(LOCKS).toArray(Lock[]::new);
    private final Duration lockTimeout;
    private final WorkIntake intake;
    private final Limits limits;

    /** What it is built on. */
    public record Dependencies(
            Database database,
            Log log,
            SourceThreads threads,
            SourceRevisions revisions,
            Messages messages,
            WorkIntake intake,
            Agents agents,
            Attachments attachments,
            Destinations destinations,
            Deliveries deliveries,
            IdentityLinks links) {}

    /** @param defaultAgent who answers where nobody says otherwise */
    public Ingest(Dependencies parts, Actor defaultAgent, Limits limits, Clock clock) {
        Database database = parts.database();
        Bindings bindings = new Bindings(database, parts.destinations(), clock);
        this.events = new InboundEvents(database);
        this.conversations = new Conversations(bindings, parts.threads(), new Addressee(parts.agents(), defaultAgent));
        this.files = new IngestFiles(parts.attachments(), limits.runs().attachments());
        this.remoteFiles = new RemoteFiles(
                files, limits.runs().attachments(), limits.ingest().filesTime());
        WaitingRevisions waiting = new WaitingRevisions(database, clock);
        StoredMessages stored = new StoredMessages(database, events, parts.deliveries());
        this.appender = new InboundAppender(
                parts.log(),
                events,
                conversations,
                files,
                new Dispatch(database, parts.destinations()),
                parts.links(),
                waiting,
                new ThreadHistories(
                        new HistoryClaims(database),
                        stored,
                        new LoggedRoots(stored, parts.messages(), parts.threads(), parts.agents()),
                        new ThreadQuotes(database),
                        limits),
                parts.agents(),
                clock);
        this.explaining = new Explaining(database, conversations, parts.agents(), clock);
        this.recognition = new Recognition(database, bindings, parts.deliveries(), events, clock);
        this.revisions = new InboundRevisions(
                waiting,
                stored,
                parts.threads(),
                parts.revisions(),
                limits.ingest(),
                limits.requests().displayName());
        this.lockTimeout = ThreadHistories.maxDelivery(
                        limits.ingest(), limits.lane().appendDeadline())
                .plus(limits.ingest().filesTime());
        this.intake = parts.intake();
        this.limits = limits;
    }

    /**
     * What became of a message.
     *
     * @param duplicate it was brought before
     */
    public record Accepted(ThreadId thread, String messageId, long seq, Verdict verdict, boolean duplicate) {
        static Accepted before(InboundEvent.Stored stored) {
            return new Accepted(stored.thread(), stored.messageId(), stored.seq(), stored.verdict(), true);
        }
    }

    /** Passes if the caller is somebody who brings messages, whatever they are. */
    public void requireCaller(Principal caller) {
        InboundOwner.requireCaller(caller);
    }

    /**
     * Stores a platform's event once. Also runs while the node stops: some platforms do not deliver again. An event that
     * can never be stored is told to the operator and counts as taken: the platform would deliver it again and again, and
     * later events would wait for ever.
     */
    public void receive(Principal.Integration platform, PlatformEvent event) {
        try {
            switch (event) {
                case PlatformEvent.Posted posted -> take(platform, posted);
                case PlatformEvent.Edited(PlatformEvent.MessageRef message, String text) ->
                    revisions.take(
                            InboundOwner.of(platform, platform.source()),
                            new PlatformEvent.Edited(message, Text.mended(text)));
                case PlatformEvent.Revision revision ->
                    revisions.take(InboundOwner.of(platform, platform.source()), revision);
                case PlatformEvent.Ignored ignored -> LOG.debug("{} told of {}", platform.source(), ignored.why());
            }
        } catch (ProblemException refused) {
            if (refused.problem().retryable()) {
                throw refused;
            }
            LOG.warn(
                    "What {} brought cannot be stored: {} {}",
                    platform.source(),
                    refused.problem().slug(),
                    refused.detail());
        }
    }

    private void take(Principal.Integration platform, PlatformEvent.Posted posted) {
        ParsedInbound inbound = ParsedInbound.read(posted, limits.ingest(), limits.requests());
        InboundOwner holder = InboundOwner.of(platform, inbound.metadata().source());
        if (!posted.echo().mirrored()
                && posted.files().isEmpty()
                && posted.earlier().isEmpty()) {
            take(holder, inbound, posted);
            return;
        }
        // Both halves of a pair come at almost the same time. On two nodes at once they would be two messages. And what
        // comes again while its files or the messages before it are fetched waits for them, and fetches nothing.
        Object what = posted.echo().mirrored()
                ? inbound.keys().channel()
                : List.of(
                        inbound.keys().channel(), String.valueOf(inbound.keys().message()));
        Lock lock = locks[Math.floorMod(what.hashCode(), LOCKS)];
        lock(lock);
        try {
            take(holder, inbound, posted);
        } finally {
            lock.unlock();
        }
    }

    /** Waits at most {@code lockTimeout} for another delivery of the same message or pair; then refuses: the platform retries. */
    private void lock(Lock lock) {
        try {
            if (!lock.tryLock(lockTimeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new ProblemException(
                        Problem.OVERLOADED, "Another delivery of the same conversation takes too long; try again.");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new ProblemException(Problem.SHUTTING_DOWN, "The server is stopping.");
        }
    }

    private void take(InboundOwner holder, ParsedInbound inbound, PlatformEvent.Posted posted) {
        Optional<InboundEvent.Stored> before = events.find(inbound.keys());
        Accepted accepted = before.isPresent()
                ? appender.again(holder, inbound, before.get())
                : recognition
                        .findOurs(inbound, posted.echo())
                        .or(() -> posted.echo().mirrored() ? recognition.findMirrored(inbound) : Optional.empty())
                        .orElseGet(() -> appender.store(
                                holder, inbound, remoteFiles.fetch(holder, posted.files()), posted.earlier()));
        revisions.arrived(holder, inbound.keys(), accepted);
    }

    /** Stores a message that an integration brings, once. */
    public Accepted submit(Principal caller, InboundMessage message) {
        ParsedInbound inbound = ParsedInbound.read(message, limits.ingest(), limits.requests());
        InboundOwner holder = InboundOwner.of(caller, inbound.metadata().source());
        files.requireFew(message.files());
        conversations.requireSession(holder, inbound);
        Optional<InboundEvent.Stored> before = events.find(inbound.keys());
        if (before.isEmpty()) {
            intake.requireOpen();
        }
        return revisions.arrived(
                holder,
                inbound.keys(),
                before.isPresent() ? appender.again(holder, inbound, before.get()) : appender.store(holder, inbound));
    }

    /** Says what {@link #submit} would do with a message, and why; refuses what it would refuse, and writes nothing. */
    public Explanation explain(Principal caller, InboundMessage message) {
        ParsedInbound inbound = ParsedInbound.read(message, limits.ingest(), limits.requests());
        InboundOwner holder = InboundOwner.of(caller, inbound.metadata().source());
        files.requireFew(message.files());
        conversations.requireSession(holder, inbound);
        return events.find(inbound.keys())
                .map(before -> explaining.again(inbound, before))
                .orElseGet(() -> explaining.fresh(holder, inbound));
    }

    /** Applies what a platform says of an earlier message, or lets it wait for that message. */
    public Revised revise(Principal caller, String source, PlatformEvent.Revision revision) {
        return revisions.take(InboundOwner.of(caller, source), revision);
    }
}
