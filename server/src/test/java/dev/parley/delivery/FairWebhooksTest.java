package dev.parley.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.chat.LocalApi;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Fair shares of a node's webhook slots: slow receivers of one owner do not stop the webhooks of others. */
class FairWebhooksTest {
    private static final Duration LIMIT = Duration.ofSeconds(40);
    private static final String SLOW = "/slow";
    private static final LocalApi.Answer OK = LocalApi.Answer.json(204, "");

    private final List<String> arrived = new CopyOnWriteArrayList<>();
    /** One permit for each answer of a slow receiver. */
    private final Semaphore answers = new Semaphore(0);

    private final LocalApi receiver = new LocalApi(request -> {
        arrived.add(request.path());
        if (request.path().startsWith(SLOW)) {
            answers.acquireUninterruptibly();
        }
        return OK;
    });

    @AfterEach
    void stop() {
        answers.release(1_000);
        receiver.close();
    }

    /** A server without sweeps in the test's time, so that webhooks left back are found by their hints. */
    private RunningServer server(String... options) {
        return RunningServer.start(Stream.concat(
                        Stream.of(
                                "--outbound-allow",
                                "127.0.0.1:" + receiver.url().getPort(),
                                "--limit-webhook-answer",
                                "60s",
                                "--limit-webhook-sweep",
                                "1h",
                                "--rate-limits",
                                "off"),
                        Stream.of(options))
                .toArray(String[]::new));
    }

    private static String thread(Api owner) {
        return "/api/v1/chat/threads/"
                + owner.post("/api/v1/chat/threads", "{\"title\":\"Hooks\"}").text("thread_id");
    }

    private void hook(Api owner, String thread, String path) {
        Api.Reply made = owner.post(thread + "/webhooks", "{\"callback_url\":\"" + receiver.url() + path + "\"}");
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
    }

    private static void say(Api owner, String thread) {
        assertThat(owner.post(thread + "/messages", "{\"content\":\"Hello\"}").status())
                .isEqualTo(201);
    }

    private long arrivedAt(String prefix) {
        return arrived.stream().filter(path -> path.startsWith(prefix)).count();
    }

    private void awaitArrived(String prefix, int count) {
        await().atMost(LIMIT).until(() -> arrivedAt(prefix) == count);
    }

    /** Makes a thread of an owner with ten slow webhooks, and an event for them. */
    private void slowHooks(RunningServer server, String name) {
        Api owner = server.api(UUID.randomUUID(), name);
        String thread = thread(owner);
        for (int i = 0; i < 10; i++) {
            hook(owner, thread, SLOW + "/" + name + "-" + i);
        }
        say(owner, thread);
    }

    @Test
    void slowReceiversOfTwoOwnersLeaveSlotsForAThird() {
        try (RunningServer server = server("--limit-deliveries-at-once", "4")) {
            slowHooks(server, "Alice");
            awaitArrived(SLOW, 2);
            slowHooks(server, "Bob");
            awaitArrived(SLOW, 3);

            Api carol = server.api(UUID.randomUUID(), "Carol");
            String thread = thread(carol);
            hook(carol, thread, "/quick");
            for (int event = 1; event <= 3; event++) {
                say(carol, thread);
                awaitArrived("/quick", event);
            }
            assertThat(arrivedAt(SLOW)).isEqualTo(3);
            assertThat(server.metric("parley_deliveries_over_share")).isPositive();

            // With free receivers all waiting webhooks get their event.
            answers.release(1_000);
            awaitArrived(SLOW, 20);
        }
    }

    /** The server knows of threads without webhooks, so it must learn of the first one. */
    @Test
    void firstWebhookOfAThreadWithMessagesIsFoundByItsHint() {
        try (RunningServer server = server()) {
            Api owner = server.api(UUID.randomUUID(), "Olivia");
            String swept = thread(owner);
            hook(owner, swept, "/swept");
            say(owner, swept);
            awaitArrived("/swept", 1);
            String thread = thread(owner);
            say(owner, thread);
            hook(owner, thread, "/first");
            say(owner, thread);
            awaitArrived("/first", 1);
        }
    }

    @Test
    void slowReceiversLeaveConnectionsToTheirHost() {
        try (RunningServer server = server()) {
            slowHooks(server, "Alice");
            slowHooks(server, "Bob");
            slowHooks(server, "Carl");
            awaitArrived(SLOW, 30);
            Api carol = server.api(UUID.randomUUID(), "Carol");
            String thread = thread(carol);
            hook(carol, thread, "/quick");
            say(carol, thread);
            awaitArrived("/quick", 1);
        }
    }

    @Test
    void agentsTakeFromTheShareOfTheirOwner() {
        try (RunningServer server = server("--limit-deliveries-at-once", "8")) {
            Api owner = server.api(UUID.randomUUID(), "Alice");
            String agent = owner.post("/api/v1/owner/agents", "{\"display_name\":\"Scout\"}")
                    .text("agent_id");
            Api scout = server.api(owner.post(
                            "/api/v1/owner/external-agents/tokens",
                            "{\"agent_actor_id\":\"" + agent + "\",\"scopes\":[\"observe\"]}")
                    .text("raw_token"));
            String thread = "/api/v1/chat/threads/"
                    + owner.post("/api/v1/chat/threads", "{\"participants\":[\"agent:" + agent + "\"]}")
                            .text("thread_id");
            for (int i = 0; i < 4; i++) {
                hook(owner, thread, SLOW + "/own-" + i);
                hook(scout, thread, SLOW + "/agent-" + i);
            }
            say(owner, thread);
            awaitArrived(SLOW, 4);
            await().atMost(LIMIT).until(() -> server.metric("parley_deliveries_over_share") == 4);
            assertThat(arrivedAt(SLOW)).isEqualTo(4);
        }
    }

    @Test
    void slowReceiverGivesItsSlotBackAfterAnEvent() {
        try (RunningServer server = server("--limit-deliveries-at-once", "1", "--limit-delivery-turn", "1ms")) {
            Api owner = server.api(UUID.randomUUID(), "Olivia");
            String thread = thread(owner);
            hook(owner, thread, SLOW + "/first");
            hook(owner, thread, SLOW + "/second");
            for (int event = 0; event < 3; event++) {
                say(owner, thread);
            }
            for (int answer = 0; answer < 6; answer++) {
                awaitArrived(SLOW, answer + 1);
                answers.release();
            }
            assertThat(arrivedAt(SLOW + "/first")).isEqualTo(3);
            assertThat(arrivedAt(SLOW + "/second")).isEqualTo(3);
            for (int i = 1; i < 6; i++) {
                assertThat(arrived.get(i)).isNotEqualTo(arrived.get(i - 1));
            }
        }
    }
}
