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

/** The front door of inbound messages: each message of an integration or platform is stored once, with its verdict. */
public final class Ingest {
    private static final Logger LOG = LoggerFactory.getLogger(Ingest.class);
    /** Number of locks, which conversations and messages share by their hash. */
    private static final int LOCKS = 1_024;

    private final InboundEvents events;
    private final Conversations conversations;
    private final RepeatedMessages repeats;
    private final InboundAppender appender;
    private final Recognition recognition;
    private final InboundRevisions revisions;
    private final InboundExplainer explainer;
    private final IngestFiles files;
    private final RemoteFiles remoteFiles;
    private final Lock[] locks =
            Stream.generate(ReentrantLock::new).limit(LOCKS).toArray(Lock[]::new);
    private final Duration lockTimeout;
    private final WorkIntake intake;
    private final Limits limits;

    /** Shared parts of the server that ingest uses. */
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

    /** @param defaultAgent the answering agent of messages and channels that name none */
    public Ingest(Dependencies parts, Actor defaultAgent, Limits limits, Clock clock) {
        Database database = parts.database();
        Bindings bindings = new Bindings(database, parts.destinations(), clock);
        this.events = new InboundEvents(database, clock);
        this.conversations = new Conversations(bindings, parts.threads(), new Addressee(parts.agents(), defaultAgent));
        this.files = new IngestFiles(parts.attachments(), limits.runs().attachments());
        this.remoteFiles = new RemoteFiles(
                files, limits.runs().attachments(), limits.ingest().filesTime());
        WaitingRevisions waiting = new WaitingRevisions(database, clock);
        StoredMessages stored = new StoredMessages(database, events, parts.deliveries());
        this.repeats = new RepeatedMessages(parts.log(), events, conversations, parts.agents());
        this.appender = new InboundAppender(
                parts.log(),
                events,
                conversations,
                files,
                new Dispatch(database, parts.destinations()),
                new SilenceReasons(parts.links(), waiting),
                new ThreadHistories(
                        new HistoryClaims(database),
                        stored,
                        new LoggedRoots(stored, parts.messages(), parts.threads(), parts.agents()),
                        new ThreadQuotes(database),
                        limits),
                repeats);
        this.explainer = new InboundExplainer(database, conversations, parts.agents(), clock);
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
     * The outcome of a submitted message.
     *
     * @param duplicate true if the message was submitted before
     */
    public record Accepted(ThreadId thread, String messageId, long seq, Verdict verdict, boolean duplicate) {
        static Accepted before(InboundEvent.Stored stored) {
            return new Accepted(stored.thread(), stored.messageId(), stored.seq(), stored.verdict(), true);
        }
    }

    /** Throws unless the caller may submit messages of at least one source. */
    public void requireCaller(Principal caller) {
        InboundOwner.requireCaller(caller);
    }

    /**
     * Stores a platform's event once. Also runs while the node stops, because some platforms never repeat an event. An
     * event that can never be stored is logged for the operator and counts as accepted. Otherwise the platform would
     * repeat the event for ever, and hold back later events.
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
                case PlatformEvent.Ignored ignored ->
                    LOG.debug("Ignored an event of {}: {}", platform.source(), ignored.reason());
            }
        } catch (ProblemException refused) {
            if (refused.problem().retryable()) {
                throw refused;
            }
            LOG.warn(
                    "Could not store an event of {}; dropping it: {} {}",
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
        // The two reports of a mirrored message arrive almost at once. On two nodes they may become two messages,
        // because this lock belongs to one node. For other messages, a repetition waits for the lock while the first
        // request fetches files or earlier messages. The repetition then fetches nothing itself.
        Object lockKey = posted.echo().mirrored()
                ? inbound.keys().channel()
                : List.of(
                        inbound.keys().channel(), String.valueOf(inbound.keys().message()));
        Lock lock = locks[Math.floorMod(lockKey.hashCode(), LOCKS)];
        lock(lock);
        try {
            take(holder, inbound, posted);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits at most {@code lockTimeout} for another report of the same message. After that, refuses the message, and
     * the platform retries.
     */
    private void lock(Lock lock) {
        try {
            if (!lock.tryLock(lockTimeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new ProblemException(
                        Problem.OVERLOADED, "Another request for the same conversation takes too long; try again.");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new ProblemException(Problem.SHUTTING_DOWN, "The server is stopping.");
        }
    }

    private void take(InboundOwner holder, ParsedInbound inbound, PlatformEvent.Posted posted) {
        Optional<InboundEvent.Stored> before = events.find(inbound.keys());
        Accepted accepted = before.isPresent()
                ? repeats.outcome(holder, inbound, before.get())
                : recognition
                        .findOwn(inbound, posted.echo())
                        .or(() -> posted.echo().mirrored() ? recognition.findMirrored(inbound) : Optional.empty())
                        .orElseGet(() -> appender.store(
                                holder, inbound, remoteFiles.fetch(holder, posted.files()), posted.earlier()));
        revisions.arrived(holder, inbound.keys(), accepted);
    }

    /** Stores a message of an integration once. */
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
                before.isPresent() ? repeats.outcome(holder, inbound, before.get()) : appender.store(holder, inbound));
    }

    /** Explains the outcome that {@link #submit} would have; refuses the same messages, and writes nothing. */
    public Explanation explain(Principal caller, InboundMessage message) {
        ParsedInbound inbound = ParsedInbound.read(message, limits.ingest(), limits.requests());
        InboundOwner holder = InboundOwner.of(caller, inbound.metadata().source());
        files.requireFew(message.files());
        conversations.requireSession(holder, inbound);
        return events.find(inbound.keys())
                .map(before -> explainer.ofRepeated(inbound, before))
                .orElseGet(() -> explainer.ofNew(holder, inbound));
    }

    /** Applies a platform's revision of an earlier message, or stores the revision until that message arrives. */
    public Revised revise(Principal caller, String source, PlatformEvent.Revision revision) {
        return revisions.take(InboundOwner.of(caller, source), revision);
    }
}
