package dev.parley.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.app.Server;
import dev.parley.app.config.Config;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.InboxHint;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.protocol.chat.NewThread;
import dev.parley.protocol.chat.PostedMessage;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.FaultProxy;
import dev.parley.testkit.TestDatabase;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestartTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final RetryPolicy PATIENT =
            new RetryPolicy(1_000, Duration.ofMinutes(1), Duration.ofMillis(5), Duration.ofMillis(100));
    private static final String SECRET = "a secret that outlives the server it was made for";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path data;

    private Server start(TestDatabase database) {
        return Server.start(Config.load(
                List.of(
                        "--port", "0",
                        "--jwt-secret", SECRET,
                        "--data", data.toString(),
                        "--database-url", database.address().jdbcUrl(),
                        "--database-user", database.address().user(),
                        "--database-password", database.address().password()),
                Map.of()));
    }

    private static InetSocketAddress address(Server server) {
        URI uri = URI.create(server.url());
        return new InetSocketAddress(uri.getHost(), uri.getPort());
    }

    @Test
    void followersAndWritersGoOnAcrossARestart() throws Exception {
        try (TestDatabase database = RunningServer.freshDatabase()) {
            Server first = start(database);
            String token = first.tokens().mint(UUID.randomUUID(), "Patient", Duration.ofHours(1));
            List<Long> received = new CopyOnWriteArrayList<>();
            List<InboxHint> hints = new CopyOnWriteArrayList<>();
            try (FaultProxy proxy = FaultProxy.to(address(first));
                    Parley client = Parley.at(proxy.uri())
                            .token(new Token(token))
                            .retryCalls(PATIENT)
                            .retryStreams(PATIENT)
                            .connect()) {
                ThreadId id = client.createThread(NewThread.titled("Long")).threadId();
                ThreadClient thread = client.thread(id);
                try (Subscription subscription =
                                thread.subscribe(Cursor.START, event -> received.add(event.threadSeq()));
                        InboxSubscription inbox = client.inbox(hints::add)) {
                    for (int i = 0; i < 5; i++) {
                        thread.post(NewMessage.text("before"));
                    }
                    await().atMost(SOON).until(() -> received.size() == 5);
                    first.close();
                    // Sent while no server runs; it arrives after the restart.
                    CompletableFuture<PostedMessage> meanwhile =
                            CompletableFuture.supplyAsync(() -> thread.post(NewMessage.text("meanwhile")));
                    await().atMost(SOON).until(() -> subscription.state() instanceof StreamState.Waiting);
                    try (Server second = start(database)) {
                        proxy.upstream(address(second));
                        assertThat(meanwhile.get(30, TimeUnit.SECONDS).message().threadSeq())
                                .isEqualTo(6);
                        await().atMost(SOON).until(() -> inbox.state() instanceof StreamState.Open);
                        hints.clear();
                        thread.post(NewMessage.text("after"));
                        await().atMost(SOON).until(() -> received.size() == 7);
                        assertThat(received)
                                .containsExactlyElementsOf(
                                        LongStream.rangeClosed(1, 7).boxed().toList());
                        assertThat(subscription.violations()).isZero();
                        assertThat(subscription.cursor()).isEqualTo(Cursor.after(7));
                        await().atMost(SOON).until(() -> hints.stream().anyMatch(hint -> hint.lastSeq() == 7));
                    }
                }
            } finally {
                first.close();
            }
        }
    }
}
