package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.parley.outbound.Calls;
import dev.parley.outbound.Destination;
import dev.parley.outbound.Outbound;
import dev.parley.platforms.PlatformFiles;
import dev.parley.testing.RunningServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Files of platforms are stored with their messages; failed downloads are listed, and change nothing else. */
class PlatformFilesTest {
    private static final byte[] PIXEL = Base64.getDecoder()
            .decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");
    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private static RunningServer server;
    private static HttpServer keeper;
    private static Calls calls;
    private static final AtomicInteger ASKED = new AtomicInteger();
    private Platform slack;

    @BeforeAll
    static void start() throws IOException {
        server = Relay.start();
        keeper = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        keeper.createContext("/", exchange -> {
            ASKED.incrementAndGet();
            boolean known = exchange.getRequestURI().getPath().equals("/pixel.png")
                    && "Bearer xoxb-1".equals(exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.sendResponseHeaders(known ? 200 : 403, known ? PIXEL.length : -1);
            if (known) {
                exchange.getResponseBody().write(PIXEL);
            }
            exchange.close();
        });
        keeper.start();
        calls = new Calls(new Outbound(Set.of()));
    }

    @AfterAll
    static void stop() {
        NEVER.countDown();
        calls.close();
        keeper.stop(0);
        server.close();
    }

    @BeforeEach
    void goElsewhere() {
        slack = Platform.of(server, "slack");
    }

    private static RemoteFile.Fetch over(String path, String token) {
        String host = "127.0.0.1:" + keeper.getAddress().getPort();
        return () -> new PlatformFiles(calls, 100_000, Duration.ofSeconds(10))
                .fetch(
                        "http://" + host + path,
                        Set.of(new Destination("127.0.0.1", keeper.getAddress().getPort())),
                        Map.of("Authorization", "Bearer " + token),
                        true);
    }

    private static RemoteFile file(String name, @Nullable String type, RemoteFile.Fetch fetch) {
        return new RemoteFile("https://files.example/" + name, name, type, 0, fetch);
    }

    private JsonNode metadata() {
        return slack.messages().getFirst().path("metadata");
    }

    private static List<String> names(JsonNode list, String member) {
        return list.valueStream().map(each -> each.path(member).asString()).toList();
    }

    @Test
    void filesComeWithTheirMessageInTheirOrder() {
        slack.bring(slack.said(
                "look 👀",
                slack.metadata("1"),
                PlatformEvent.Echo.NONE,
                file("a.png", "image/png", over("/pixel.png", "xoxb-1")),
                file("中文.txt", "text/plain", () -> "text".getBytes(StandardCharsets.UTF_8))));

        assertThat(slack.texts()).containsExactly("look 👀");
        assertThat(names(metadata().path("attachments"), "filename")).containsExactly("a.png", "中文.txt");
        assertThat(metadata().has("file_failures")).isFalse();
    }

    @Test
    void slowFileIsListedAndTheMessageIsStored() {
        try (RunningServer impatient = Relay.start("--limit-platform-files-time", "1s")) {
            slack = Platform.of(impatient, "slack");
            slack.bring(slack.said(
                    "slow", slack.metadata("1"), PlatformEvent.Echo.NONE, file("slow.png", "image/png", () -> {
                        NEVER.await();
                        return PIXEL;
                    })));

            assertThat(slack.texts()).containsExactly("slow");
            assertThat(names(metadata().path("file_failures"), "name")).containsExactly("slow.png");
        }
    }

    @Test
    void failedFilesAreListedAndTheTextIsUnchanged() {
        slack.bring(slack.said(
                "three",
                slack.metadata("1"),
                PlatformEvent.Echo.NONE,
                file("secret.png", "image/png", over("/pixel.png", "wrong")),
                file("good.png", "image/png", over("/pixel.png", "xoxb-1")),
                file("false.png", "image/png", () -> "no image".getBytes(StandardCharsets.UTF_8)),
                file("broken", null, () -> {
                    throw new IllegalStateException("a bug");
                })));

        assertThat(slack.texts()).containsExactly("three");
        assertThat(names(metadata().path("attachments"), "filename")).containsExactly("good.png");
        assertThat(names(metadata().path("file_failures"), "name"))
                .containsExactly("secret.png", "false.png", "broken");
        assertThat(names(metadata().path("file_failures"), "reason"))
                .first()
                .asString()
                .contains("403")
                .doesNotContain("wrong");
    }

    @Test
    void anEmptyMessageWhoseFilesAllFailedIsStored() {
        slack.bring(slack.said(
                "",
                slack.metadata("1"),
                PlatformEvent.Echo.NONE,
                file("a.png", "image/png", over("/gone.png", "xoxb-1"))));

        assertThat(slack.texts()).containsExactly("");
        assertThat(metadata().path("file_failures")).hasSize(1);
    }

    @Test
    void repeatedMessageFetchesNoFiles() {
        PlatformEvent.Posted posted = slack.said(
                "look",
                slack.metadata("1"),
                PlatformEvent.Echo.NONE,
                file("a.png", "image/png", over("/pixel.png", "xoxb-1")));
        slack.bring(posted);
        AtomicInteger asked = new AtomicInteger();

        slack.bring(slack.said("look", slack.metadata("1"), PlatformEvent.Echo.NONE, file("a.png", "image/png", () -> {
            asked.incrementAndGet();
            return PIXEL;
        })));

        assertThat(asked).hasValue(0);
        assertThat(ASKED.get()).isPositive();
        assertThat(metadata().path("attachments")).hasSize(1);
    }

    @Test
    void filesHaveALimit() {
        RemoteFile[] files = IntStream.range(0, 23)
                .mapToObj(i -> file(i + ".txt", "text/plain", () -> ("file " + i).getBytes(StandardCharsets.UTF_8)))
                .toArray(RemoteFile[]::new);
        slack.bring(slack.said("many", slack.metadata("1"), PlatformEvent.Echo.NONE, files));

        assertThat(metadata().path("attachments")).hasSize(20);
        assertThat(names(metadata().path("file_failures"), "name")).containsExactly("20.txt", "21.txt", "22.txt");
    }

    @Test
    void listOfFailedFilesCannotBeSent() {
        Relay relay = Relay.of(server, "slack");
        var metadata = relay.metadata();
        metadata.putArray("file_failures");

        assertThat(relay.submit(Relay.body("hello", metadata)).toString())
                .startsWith("400")
                .contains("msg_metadata.file_failures");
    }
}
