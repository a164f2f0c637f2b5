package dev.parley.streaming;

import dev.parley.auth.AgentTokens;
import dev.parley.auth.IntegrationKeys;
import dev.parley.auth.Principal;
import dev.parley.auth.StreamTickets;
import dev.parley.http.Frames;
import dev.parley.http.SseConnection;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.Threads;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All streams that are open on this node, and whether they may still be: every two seconds a few queries, whatever their
 * number, find those whose member was removed or whose credential was revoked, and end them. It needs no message from
 * whoever removed them, so it works across nodes.
 */
public final class OpenStreams implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OpenStreams.class);
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final Frames GOODBYE = Frames.comment("closed: this stream is not yours any more");

    private final Threads threads;
    private final AgentTokens agentTokens;
    private final IntegrationKeys integrationKeys;
    private final StreamTickets tickets;
    private final Set<OpenStream> open = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService sweeper = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("parley-open-streams").daemon().factory());

    public OpenStreams(
            Threads threads, AgentTokens agentTokens, IntegrationKeys integrationKeys, StreamTickets tickets) {
        this.threads = threads;
        this.agentTokens = agentTokens;
        this.integrationKeys = integrationKeys;
        this.tickets = tickets;
        sweeper.scheduleWithFixedDelay(this::sweep, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * An open stream.
     *
     * @param thread what it follows; empty for a stream over all of a caller's threads
     * @param ticket the ticket it was opened with, if it was
     */
    private record OpenStream(
            SseConnection connection, Principal principal, Optional<ThreadId> thread, Optional<String> ticket) {}

    /** Watches over a stream until its connection closes; run the result then. */
    public Runnable add(
            SseConnection connection, Principal principal, Optional<ThreadId> thread, Optional<String> ticket) {
        OpenStream stream = new OpenStream(connection, principal, thread, ticket);
        open.add(stream);
        return () -> open.remove(stream);
    }

    private void sweep() {
        try {
            List<OpenStream> streams = List.copyOf(open);
            tickets.stillOpen(
                    streams.stream().flatMap(stream -> stream.ticket().stream()).toList());
            Set<OpenStream> over = new HashSet<>(withoutCredential(streams));
            over.addAll(withoutMembership(streams));
            over.forEach(stream ->
                    stream.connection().execute(() -> stream.connection().close(GOODBYE)));
        } catch (RuntimeException unavailable) {
            LOG.debug("Open streams could not be checked: {}", unavailable.toString());
        }
    }

    private List<OpenStream> withoutCredential(List<OpenStream> streams) {
        Set<UUID> agents = new HashSet<>();
        Set<UUID> keys = new HashSet<>();
        for (OpenStream stream : streams) {
            switch (stream.principal()) {
                case Principal.Agent agent -> agents.add(agent.tokenId());
                case Principal.Integration integration -> keys.add(integration.keyId());
                case Principal.User user -> {}
            }
        }
        Set<UUID> alive = new HashSet<>(agentTokens.alive(agents));
        alive.addAll(integrationKeys.alive(keys));
        return streams.stream()
                .filter(stream -> switch (stream.principal()) {
                    case Principal.Agent agent -> !alive.contains(agent.tokenId());
                    case Principal.Integration integration -> !alive.contains(integration.keyId());
                    case Principal.User user -> false;
                })
                .toList();
    }

    private List<OpenStream> withoutMembership(List<OpenStream> streams) {
        List<OpenStream> members = streams.stream()
                .filter(stream -> stream.thread().isPresent() && !(stream.principal() instanceof Principal.Integration))
                .toList();
        Set<Threads.Place> places = members.stream().map(OpenStreams::place).collect(Collectors.toSet());
        Set<Threads.Place> readable = threads.stillReadable(places);
        return members.stream()
                .filter(stream -> !readable.contains(place(stream)))
                .toList();
    }

    private static Threads.Place place(OpenStream stream) {
        return new Threads.Place(
                stream.thread().orElseThrow(), stream.principal().actor());
    }

    @Override
    public void close() {
        sweeper.shutdownNow();
    }
}
