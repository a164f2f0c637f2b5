package dev.parley.streaming;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.auth.AgentTokens;
import dev.parley.auth.Audit;
import dev.parley.auth.IntegrationKeys;
import dev.parley.auth.Principal;
import dev.parley.auth.StreamTickets;
import dev.parley.http.BrowserRules;
import dev.parley.http.Frames;
import dev.parley.http.HttpEdge;
import dev.parley.http.HttpSettings;
import dev.parley.http.Routes;
import dev.parley.http.SseConnection;
import dev.parley.http.StreamSource;
import dev.parley.http.Unrated;
import dev.parley.limits.Limits;
import dev.parley.log.Event;
import dev.parley.log.Log;
import dev.parley.log.LogFeatures;
import dev.parley.log.LogReader;
import dev.parley.log.LogSettings;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.SlowReader;
import dev.parley.testkit.TestDatabase;
import dev.parley.threads.ThreadAccess;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The end of streams that the server closes, in a protocol with a farewell frame. */
class StreamEndsTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String LAST_WORD = "data: detached\n\n";
    private static final int BUFFER = 8 * 1024;

    private final ThreadId thread = ThreadId.fresh();
    private final CompletableFuture<Boolean> leftByClient = new CompletableFuture<>();
    private TestDatabase scratch;
    private Database database;

    @BeforeEach
    void open() {
        scratch = RunningServer.freshDatabase();
        database = Database.open(RunningServer.storage(scratch.address()), 2);
    }

    @AfterEach
    void close() {
        database.close();
        scratch.close();
    }

    private HttpEdge<String> edge(Consumer<SseConnection> attach) {
        HttpSettings usual = HttpSettings.of("127.0.0.1", 0, Limits.defaults().http());
        HttpSettings settings = new HttpSettings(
                usual.host(), 0, 1, usual.requestMemory(), usual.limits(), usual.idleTimeout(), BUFFER, BUFFER);
        Routes<String> routes = new Routes<>();
        routes.stream("/s", Unrated.FREE, call -> (StreamSource) connection -> {
            connection.farewell(Frames.event(null, null, "detached"));
            attach.accept(connection);
        });
        return HttpEdge.start(settings, BrowserRules.NONE, routes, head -> "anybody", new SimpleMeterRegistry());
    }

    private static URI address(HttpEdge<String> edge) {
        return URI.create("http://127.0.0.1:" + edge.port() + "/s");
    }

    /** The whole answer; a broken end would make the read fail. */
    private static CompletableFuture<String> answer(HttpClient client, HttpEdge<String> edge) {
        return client.sendAsync(HttpRequest.newBuilder(address(edge)).build(), BodyHandlers.ofString())
                .thenApply(response -> response.body());
    }

    private Tail tail(long start) {
        return new Tail(
                thread,
                new LogReader(database),
                event -> Frames.event(null, null, "x".repeat(60_000)),
                new Ring(start, new RingBudget(10_000, 10_000)));
    }

    private void follow(Tail tail, SseConnection connection, Duration parcelTime) {
        TailReader reader = new TailReader(tail, new CatchUps(1, parcelTime), new Semaphore(1), connection, 0);
        connection.onClose(() -> {
            reader.close();
            leftByClient.complete(connection.leftByClient());
        });
        reader.serve();
    }

    @Test
    void aPageThatCannotBeRead() throws Exception {
        Tail tail = tail(9);
        database.close();
        HttpEdge<String> edge = edge(connection -> follow(tail, connection, LONG));
        try (HttpClient client = HttpClient.newHttpClient()) {
            assertThat(answer(client, edge).get(20, TimeUnit.SECONDS)).endsWith(LAST_WORD);
        } finally {
            edge.stop(LONG);
        }
    }

    @Test
    void aReaderThatTakesTooLongForAParcel() throws Exception {
        for (long position = 1; position <= 20; position++) {
            announced(position);
        }
        Tail tail = tail(20);
        HttpEdge<String> edge = edge(connection -> follow(tail, connection, Duration.ofMillis(200)));
        try (SlowReader reader = SlowReader.open(address(edge), Map.of())) {
            assertThat(leftByClient.get(20, TimeUnit.SECONDS)).isFalse();
            assertThat(reader.drain(Duration.ofSeconds(2))).contains("xxx\n\n").contains(LAST_WORD + "\r\n0\r\n\r\n");
        } finally {
            edge.stop(LONG);
        }
    }

    private void announced(long position) {
        database.transact(handle -> handle.execute("""
                insert into events (thread_id, position, seq, type, actor, payload, created_at, command_id)
                values (?, ?, 0, 'typing', 'user:x', '{}', now(), gen_random_uuid())""", thread.value(), position));
    }

    @Test
    void aMemberWhoIsRemovedAndACredentialThatExpires() throws Exception {
        Clock clock = Clock.systemUTC();
        Principal olivia = new Principal.User(UUID.randomUUID(), "Olivia", false, Instant.MAX);
        Principal late = new Principal.User(UUID.randomUUID(), "Paul", false, clock.instant());
        LogReader reader = new LogReader(database);
        AgentTokens tokens = new AgentTokens(database, clock);
        IntegrationKeys keys =
                new IntegrationKeys(database, clock, new Audit(database, clock), Map.of(), Optional.empty());
        try (Log log = new Log(
                        database,
                        LogFeatures.NONE,
                        new LogSettings(1, 100, 1_000_000, 100, 1_000_000, LONG),
                        clock,
                        events -> {},
                        new SimpleMeterRegistry());
                Watches watches = new Watches(reader);
                OpenStreams open = new OpenStreams(
                        new ThreadAccess(database),
                        watches,
                        tokens,
                        keys,
                        new StreamTickets(database, clock, tokens, keys),
                        clock);
                HttpClient client = HttpClient.newHttpClient()) {
            for (Principal reading : List.of(late, olivia)) {
                CompletableFuture<SseConnection> watched = new CompletableFuture<>();
                HttpEdge<String> edge = edge(connection -> {
                    connection.onClose(open.add(connection, reading, Optional.of(thread), Optional.empty()));
                    watched.complete(connection);
                });
                try {
                    CompletableFuture<String> answer = answer(client, edge);
                    watched.get(20, TimeUnit.SECONDS);
                    if (reading.equals(olivia)) {
                        open.committed(List.of(removed(olivia.actor())));
                    }
                    assertThat(answer.get(20, TimeUnit.SECONDS))
                            .endsWith(": closed: this stream is not yours any more\n\n" + LAST_WORD);
                } finally {
                    edge.stop(LONG);
                }
            }
        }
    }

    private Event removed(Actor member) {
        return new Event.Announced(
                thread,
                1,
                0,
                Instant.now(),
                "thread_updated",
                member,
                "{\"participant_removed\":\"" + member.value() + "\"}",
                UUID.randomUUID());
    }
}
