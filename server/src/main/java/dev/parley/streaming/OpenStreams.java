package dev.parley.streaming;

import dev.parley.auth.AgentTokens;
import dev.parley.auth.IntegrationKeys;
import dev.parley.auth.Principal;
import dev.parley.auth.StreamTickets;
import dev.parley.http.Frames;
import dev.parley.http.SseConnection;
import dev.parley.log.Event;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.Participants;
import dev.parley.threads.ThreadAccess;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All open streams of this node. Every two seconds a few queries, independent of the number of streams, find the
 * streams of removed participants and of revoked or expired credentials, and end them. The sweep needs no message from
 * the node that did the removal, so it works across nodes. A thread whose participants may have changed is checked at
 * once.
 */
public final class OpenStreams implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenStreams.class);
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final int SWEEPS_TO_ALL = 30;
    private static final Frames GOODBYE = Frames.comment("closed: this stream is not yours any more");

    private final ThreadAccess access;
    private final AgentTokens agentTokens;
    private final IntegrationKeys integrationKeys;
    private final StreamTickets tickets;
    private final Clock clock;
    private final Set<OpenStream> open = ConcurrentHashMap.newKeySet();
    private final Set<Watched> watched = ConcurrentHashMap.newKeySet();
    /** Threads whose readers have to be checked again. */
    private final Set<ThreadId> doubtful = ConcurrentHashMap.newKeySet();

    private final AtomicBoolean hurrying = new AtomicBoolean();
    private int sweeps;
    private final ScheduledExecutorService sweeper = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("parley-open-streams").daemon().factory());

    public OpenStreams(
            ThreadAccess access,
            Watches watches,
            AgentTokens agentTokens,
            IntegrationKeys integrationKeys,
            StreamTickets tickets,
            Clock clock) {
        watches.whenFactsChange(this::doubt);
        this.access = access;
        this.agentTokens = agentTokens;
        this.integrationKeys = integrationKeys;
        this.tickets = tickets;
        this.clock = clock;
        sweeper.scheduleWithFixedDelay(this::sweep, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * An open stream.
     *
     * @param ticket the ticket that opened the stream, if there is one
     */
    private record OpenStream(SseConnection connection, Principal principal, Optional<String> ticket) {}

    /**
     * A thread that a stream follows.
     *
     * @param lost the task to run on the event loop when the reader loses access to the thread
     */
    private record Watched(SseConnection connection, ThreadAccess.Membership membership, Runnable lost) {}

    /**
     * Watches over a stream that ends when its reader loses access to the thread. The caller runs the result when the
     * connection closes.
     */
    public Runnable add(
            SseConnection connection, Principal principal, Optional<ThreadId> thread, Optional<String> ticket) {
        OpenStream stream = new OpenStream(connection, principal, ticket);
        open.add(stream);
        Optional<Runnable> unwatch =
                thread.map(each -> watch(connection, principal.actor(), each, () -> connection.end(GOODBYE)));
        return () -> {
            open.remove(stream);
            unwatch.ifPresent(Runnable::run);
        };
    }

    /**
     * Watches over one thread of a stream that goes on without the thread. The caller runs the result when the thread
     * is left.
     */
    public Runnable watch(SseConnection connection, Actor reader, ThreadId thread, Runnable lost) {
        Watched added = new Watched(connection, new ThreadAccess.Membership(thread, reader), lost);
        watched.add(added);
        // The reader may have been removed since it was admitted.
        doubtful.add(thread);
        return () -> watched.remove(added);
    }

    /**
     * Ends the streams of removed participants. Called on the lane's thread, before the tails are called, so that no
     * later message reaches a removed participant on this node. Other nodes end such streams in their sweeps.
     */
    public void committed(List<Event> events) {
        for (Event event : events) {
            Participants.removedBy(event)
                    .map(removed -> new ThreadAccess.Membership(event.thread(), removed))
                    .ifPresent(membership -> lose(watched.stream()
                            .filter(each -> each.membership().equals(membership))
                            .toList()));
        }
    }

    /** The number of open streams on this node. */
    public int count() {
        return open.size();
    }

    /** Refuses a caller whose credential was revoked or has expired while the caller waited. */
    public void requireAlive(Principal caller) {
        boolean alive = switch (caller) {
            case Principal.User user -> user.goodUntil().isAfter(clock.instant());
            case Principal.Agent agent ->
                !agentTokens.alive(Set.of(agent.tokenId())).isEmpty();
            case Principal.Integration integration ->
                !integrationKeys.alive(Set.of(integration.keyId())).isEmpty();
        };
        if (!alive) {
            throw new ProblemException(
                    Problem.UNAUTHENTICATED, "The token was revoked or has expired during the call.");
        }
    }

    private void doubt(ThreadId thread) {
        doubtful.add(thread);
        if (!watched.isEmpty() && hurrying.compareAndSet(false, true)) {
            sweeper.execute(() -> {
                hurrying.set(false);
                attempt(() -> lose(withoutMembership(takeDoubtful(), false)));
            });
        }
    }

    private Set<ThreadId> takeDoubtful() {
        Set<ThreadId> pending = Set.copyOf(doubtful);
        doubtful.removeAll(pending);
        return pending;
    }

    private void sweep() {
        // The changed threads are taken before the streams are read, so that later changes and later streams belong to
        // the next sweep.
        Set<ThreadId> changed = takeDoubtful();
        List<OpenStream> streams = List.copyOf(open);
        if (streams.isEmpty()) {
            return;
        }
        // Each check runs on its own, because a check that fails must not prevent the other checks.
        attempt(() -> end(expired(streams)));
        attempt(() -> end(withoutTicket(streams)));
        attempt(() -> end(withoutToken(streams)));
        attempt(() -> end(withoutKey(streams)));
        attempt(() -> lose(withoutMembership(changed, sweeps++ % SWEEPS_TO_ALL == 0)));
    }

    private static void attempt(Runnable check) {
        try {
            check.run();
        } catch (RuntimeException | Error unavailable) {
            LOG.debug("Could not check open streams; retrying on the next sweep: {}", unavailable.toString());
        }
    }

    private static void end(List<OpenStream> over) {
        over.forEach(
                stream -> stream.connection().execute(() -> stream.connection().end(GOODBYE)));
    }

    private static void lose(List<Watched> over) {
        over.forEach(each -> each.connection().execute(each.lost()));
    }

    private List<OpenStream> expired(List<OpenStream> streams) {
        Instant now = clock.instant();
        return streams.stream()
                .filter(stream -> stream.principal() instanceof Principal.User user
                        && !user.goodUntil().isAfter(now))
                .toList();
    }

    /** The streams whose tickets are gone, as after the erasure of a person. */
    private List<OpenStream> withoutTicket(List<OpenStream> streams) {
        Set<String> good = tickets.stillOpen(
                streams.stream().flatMap(stream -> stream.ticket().stream()).toList());
        return streams.stream()
                .filter(stream ->
                        stream.ticket().filter(ticket -> !good.contains(ticket)).isPresent())
                .toList();
    }

    private List<OpenStream> withoutToken(List<OpenStream> streams) {
        return without(
                streams,
                principal ->
                        principal instanceof Principal.Agent agent ? Optional.of(agent.tokenId()) : Optional.empty(),
                agentTokens::alive);
    }

    private List<OpenStream> withoutKey(List<OpenStream> streams) {
        return without(
                streams,
                principal -> principal instanceof Principal.Integration integration
                        ? Optional.of(integration.keyId())
                        : Optional.empty(),
                integrationKeys::alive);
    }

    /** The streams whose credential of one kind is not alive any more. */
    private static List<OpenStream> without(
            List<OpenStream> streams,
            Function<Principal, Optional<UUID>> credential,
            Function<Set<UUID>, Set<UUID>> alive) {
        Map<OpenStream, UUID> credentials = new HashMap<>();
        streams.forEach(stream -> credential.apply(stream.principal()).ifPresent(id -> credentials.put(stream, id)));
        Set<UUID> good = alive.apply(Set.copyOf(credentials.values()));
        return credentials.keySet().stream()
                .filter(stream -> !good.contains(credentials.get(stream)))
                .toList();
    }

    /**
     * The watched threads whose readers have lost access. A change of readers changes the thread's facts, and changed
     * facts trigger a check. A regular check of all threads covers a missed change.
     */
    private List<Watched> withoutMembership(Set<ThreadId> changed, boolean all) {
        List<Watched> candidates = watched.stream()
                .filter(each -> all || changed.contains(each.membership().thread()))
                .toList();
        try {
            Set<ThreadAccess.Membership> readable = access.stillReadable(
                    candidates.stream().map(Watched::membership).collect(Collectors.toSet()));
            return candidates.stream()
                    .filter(each -> !readable.contains(each.membership()))
                    .toList();
        } catch (RuntimeException unavailable) {
            candidates.forEach(each -> doubtful.add(each.membership().thread()));
            throw unavailable;
        }
    }

    @Override
    public void close() {
        sweeper.shutdownNow();
    }
}
