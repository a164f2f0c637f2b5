package dev.parley.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.chat.LocalApi;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Webhooks get every event of a thread, in order, despite failures of their receiver. */
class WebhookTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(40);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final LocalApi.Answer OK = LocalApi.Answer.json(204, "");

    private static final List<LocalApi.Request> ALL_TAKEN = new CopyOnWriteArrayList<>();

    private static LocalApi receiver;
    private static RunningServer server;

    /** The path of this test's webhook, as webhooks of earlier tests still exist. */
    private final String hook = "/hook-" + UUID.randomUUID();

    private Api owner;
    private String threadId;
    private String thread;
    private String otherThread;

    @BeforeAll
    static void start() {
        receiver = new LocalApi(request -> {
            ALL_TAKEN.add(request);
            return OK;
        });
        server = RunningServer.start(
                "--outbound-allow",
                "127.0.0.1:" + receiver.url().getPort(),
                "--limit-webhook-answer",
                "2s",
                "--limit-webhook-sweep",
                "100ms",
                "--rate-limits",
                "off");
    }

    @BeforeEach
    void meet() {
        receiver.heal();
        owner = server.api(UUID.randomUUID(), "Olivia");
        threadId = newThread();
        thread = "/api/v1/chat/threads/" + threadId;
        otherThread = "/api/v1/chat/threads/" + newThread();
    }

    private String newThread() {
        return owner.post("/api/v1/chat/threads", "{\"title\":\"Hooks\"}").text("thread_id");
    }

    @AfterAll
    static void stop() {
        server.close();
        receiver.close();
    }

    private JsonNode create(Api caller) {
        Api.Reply made = caller.post(thread + "/webhooks", "{\"callback_url\":\"" + receiver.url() + hook + "\"}");
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        return made.json();
    }

    private void say(String text) {
        Api.Reply said = owner.post(thread + "/messages", Json.MAPPER.writeValueAsString(Map.of("content", text)));
        assertThat(said.status()).as(said.toString()).isEqualTo(201);
    }

    /** The requests of this test's webhook. */
    private List<LocalApi.Request> taken() {
        return ALL_TAKEN.stream().filter(request -> request.path().equals(hook)).toList();
    }

    private List<String> heard() {
        return taken().stream()
                .map(request -> Json.MAPPER.readTree(request.body()).path("data"))
                .filter(event -> event.path("event_type").asString("").equals("message_committed"))
                .map(event -> event.path("content").asString())
                .toList();
    }

    private void awaitHeard(String... texts) {
        await().pollInterval(POLL).atMost(TIMEOUT).untilAsserted(() -> {
            wake();
            assertThat(heard()).containsExactly(texts);
        });
    }

    /** Makes the node poll by a commit, in a thread without webhooks. */
    private void wake() {
        assertThat(owner.post(otherThread + "/messages", "{\"content\":\"look\"}")
                        .status())
                .isEqualTo(201);
    }

    /** Waits for a condition, and skips the back-off of failed receivers. */
    private void awaitHastily(BooleanSupplier condition) {
        await().pollInterval(POLL).atMost(TIMEOUT).until(() -> {
            server.execute("update webhooks set next_at = now()" + ofThisThread());
            wake();
            return condition.getAsBoolean();
        });
    }

    private String ofThisThread() {
        return " where thread_id = '" + threadId + "'";
    }

    private JsonNode webhook() {
        return owner.get(thread + "/webhooks").json().path("webhooks").get(0);
    }

    @Test
    void everyEventIsSignedAndEqualsItsPoll() throws Exception {
        JsonNode made = create(owner);
        say("مرحبا 👋 [x]");
        awaitHeard("مرحبا 👋 [x]");
        LocalApi.Request request = taken().getFirst();
        JsonNode polled = owner.get(thread + "/events").json().path("events").get(0);
        JsonNode body = Json.MAPPER.readTree(request.body());
        assertThat(body.path("data")).isEqualTo(polled);
        assertThat(body.path("type").asString()).isEqualTo("message_committed");
        String signed =
                header(request, "webhook-id") + "." + header(request, "webhook-timestamp") + "." + request.text();
        byte[] secret =
                Base64.getDecoder().decode(made.path("secret").asString().substring("whsec_".length()));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        String signature = Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
        assertThat(header(request, "webhook-signature").split(" ")).contains("v1," + signature);
        assertThat(webhook().has("secret")).as("the secret is shown once").isFalse();
        assertThat(server.count("select count(*) from webhooks w where w::text like '%"
                        + made.path("secret").asString().substring(6) + "%'"))
                .isZero();
    }

    private static String header(LocalApi.Request request, String name) {
        return request.header(name).orElseThrow();
    }

    @Test
    void eventsAreUniqueByTheirIdAndInOrderDespiteFailures() {
        create(owner);
        receiver.fail(hook, new LocalApi.Fault.Instead(LocalApi.Answer.json(500, "{}")));
        receiver.fail(hook, new LocalApi.Fault.LoseAnswer());
        receiver.fail(hook, new LocalApi.Fault.LoseRequest());
        receiver.fail(
                hook,
                new LocalApi.Fault.Instead(
                        LocalApi.Answer.json(302, "").with("Location", receiver.url() + "/elsewhere")));
        receiver.fail(
                hook, new LocalApi.Fault.Instead(LocalApi.Answer.json(429, "").with("Retry-After", "1")));
        String[] texts = IntStream.range(0, 12).mapToObj(i -> "m" + i).toArray(String[]::new);
        List.of(texts).forEach(this::say);
        awaitHastily(() -> heard().contains("m11"));
        Map<String, String> byId = new LinkedHashMap<>();
        taken().forEach(request -> byId.putIfAbsent(
                header(request, "webhook-id"),
                Json.MAPPER
                        .readTree(request.body())
                        .path("data")
                        .path("content")
                        .asString("")));
        assertThat(byId.values()).containsSubsequence(texts).doesNotHaveDuplicates();
        assertThat(receiver.requests("/elsewhere"))
                .as("no redirect is followed")
                .isEmpty();
    }

    @Test
    void hangingReceiverIsRetried() {
        create(owner);
        receiver.fail(hook, new LocalApi.Fault.Hang());
        say("one");
        say("two");
        await().atMost(TIMEOUT).until(() -> heard().contains("two"));
        // The receiver had accepted the first event before it hung, so the event is repeated with the same id.
        assertThat(taken().get(0).header("webhook-id")).isEqualTo(taken().get(1).header("webhook-id"));
        assertThat(heard()).containsExactly("one", "one", "two");
    }

    @Test
    void noEventIsMissingAfterAnHourOfFailures() {
        create(owner);
        IntStream.range(0, 4)
                .forEach(i -> receiver.fail(hook, new LocalApi.Fault.Instead(LocalApi.Answer.json(503, ""))));
        say("one");
        await().atMost(TIMEOUT).until(() -> webhook().path("failures").asInt() >= 1);
        IntStream.range(0, 60).forEach(i -> say("while away " + i));
        receiver.heal();
        // Makes the server believe that an hour has passed.
        server.execute(
                "update webhooks set failing_since = now() - interval '1 hour', next_at = now()" + ofThisThread());
        awaitHastily(() -> heard().contains("while away 59"));
        assertThat(heard()).hasSize(61).startsWith("one", "while away 0").doesNotHaveDuplicates();
        assertThat(webhook().path("failing_since").isNull()).isTrue();
    }

    @Test
    void webhookIsSwitchedOffAfterADayOfFailuresAndCanBeEnabled() {
        JsonNode made = create(owner);
        IntStream.range(0, 50)
                .forEach(i -> receiver.fail(hook, new LocalApi.Fault.Instead(LocalApi.Answer.json(500, ""))));
        say("one");
        await().atMost(TIMEOUT).until(() -> webhook().path("failures").asInt() >= 1);
        assertThat(webhook().path("state").asString()).isEqualTo("on");
        server.execute(
                "update webhooks set failing_since = now() - interval '25 hours', next_at = now()" + ofThisThread());
        awaitHastily(() -> webhook().path("state").asString().equals("off"));
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(owner.get(thread + "/events")
                                .json()
                                .path("events")
                                .valueStream()
                                .map(event -> event.path("event_type").asString()))
                        .contains("webhook_disabled"));
        say("two");
        receiver.heal();
        String id = made.path("webhook_id").asString();
        assertThat(owner.post(thread + "/webhooks/" + id + "/enable", "").status())
                .isEqualTo(200);
        awaitHeard("one", "two");
        assertThat(owner.post(thread + "/webhooks/" + id + "/redeliver", "{\"after_seq\":1}")
                        .status())
                .isEqualTo(200);
        awaitHeard("one", "two", "two");
        assertThat(taken().stream()
                        .map(request -> header(request, "webhook-id"))
                        .distinct())
                .as("repeated events have the same ids")
                .hasSameSizeAs(taken().stream()
                        .map(request -> Json.MAPPER.readTree(request.body()).path("data"))
                        .distinct()
                        .toList());
    }

    /** Events of runs are not sent to webhooks; a webhook passes them once, and does not read them again. */
    @Test
    void eventsOfARunDoNotKeepAWebhookBusy() {
        create(owner);
        say("one");
        awaitHeard("one");
        server.execute("update thread_heads set last_position = last_position + 100" + ofThisThread());
        await().atMost(TIMEOUT)
                .until(() -> server.count("select count(*) from webhooks w join thread_heads h using (thread_id)"
                                + ofThisThread() + " and w.position = h.last_position and w.holder is null")
                        == 1);
        say("two");
        awaitHeard("one", "two");
    }

    @Test
    void removedOwnerGetsNoFurtherEvents() {
        UUID guest = UUID.randomUUID();
        Api guests = server.api(guest, "Guest");
        assertThat(owner.post(thread + "/participants", "{\"sender_ids\":[\"user:" + guest + "\"]}")
                        .status())
                .isLessThan(300);
        create(guests);
        say("for you");
        awaitHeard("for you");
        assertThat(owner.delete(thread + "/participants/user:" + guest).status())
                .isLessThan(300);
        say("not for you");
        await().atMost(TIMEOUT).until(() -> webhook().path("state").asString().equals("off"));
        assertThat(heard()).containsExactly("for you");
    }

    @Test
    void forbiddenUrlIsRefusedAtOnce() {
        for (String url : List.of(
                "http://example.org/hook",
                "https://127.0.0.1/hook",
                "https://127.0.0.1:1/hook",
                "https://10.0.0.1/hook",
                "https://169.254.169.254/latest/meta-data",
                "https://[::1]/hook",
                "https://[::ffff:10.0.0.1]/hook",
                "https://2130706433/hook",
                "https://user:pass@example.org/hook",
                "ftp://example.org/hook",
                "nonsense")) {
            Api.Reply refused =
                    owner.post(thread + "/webhooks", Json.MAPPER.writeValueAsString(Map.of("callback_url", url)));
            assertThat(refused.status()).as(url).isEqualTo(400);
            assertThat(refused.toString()).as(url).contains("callback_url");
        }
        assertThat(owner.post(thread + "/webhooks", "{}").status()).isEqualTo(400);
        assertThat(owner.get(thread + "/webhooks").json().path("webhooks")).isEmpty();
    }

    @Test
    void hostThatIsPrivateAndHostThatIsUnknownAreRefusedAlike() {
        List<String> answers = Stream.of("https://localhost/hook", "https://no-such-host.invalid/hook")
                .map(url -> owner.post(thread + "/webhooks", "{\"callback_url\":\"" + url + "\"}"))
                .map(refused -> refused.json().path("errors").toString())
                .distinct()
                .toList();

        assertThat(answers).hasSize(1);
        assertThat(answers.getFirst()).contains("does not resolve to a public host");
    }

    @Test
    void webhooksOfAThreadHaveALimitAndReadersSeeTheirOwn() {
        IntStream.range(0, 10).forEach(i -> create(owner));
        Api.Reply tooMany = owner.post(thread + "/webhooks", "{\"callback_url\":\"" + receiver.url() + hook + "\"}");
        assertThat(tooMany.status()).isEqualTo(409);
        assertThat(tooMany.toString()).contains("too-many-webhooks");
        String id = webhook().path("webhook_id").asString();
        Api stranger = server.api(UUID.randomUUID(), "Stranger");
        assertThat(stranger.get(thread + "/webhooks").status()).isEqualTo(404);
        assertThat(stranger.delete(thread + "/webhooks/" + id).status()).isEqualTo(404);
        assertThat(owner.delete(thread + "/webhooks/" + id).status()).isEqualTo(200);
        Api.Reply gone = owner.delete(thread + "/webhooks/" + id);
        assertThat(gone.status()).isEqualTo(404);
        assertThat(gone.toString()).contains("webhook-not-found");
    }
}
