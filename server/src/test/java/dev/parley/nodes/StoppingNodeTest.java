package dev.parley.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parley.storage.Database;
import dev.parley.storage.DatabaseAddress;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.FaultProxy;
import dev.parley.testkit.TestDatabase;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The stop of a node, in every state of its database and its balancer. */
class StoppingNodeTest {
    @Test
    void aHungDatabaseDoesNotDelayTheStop() throws Exception {
        try (TestDatabase scratch = RunningServer.freshDatabase()) {
            DatabaseAddress real = RunningServer.storage(scratch.address());
            URI address = URI.create(real.jdbcUrl().substring("jdbc:".length()));
            try (FaultProxy proxy = FaultProxy.to(address);
                    Database database = Database.open(
                            new DatabaseAddress(
                                    real.jdbcUrl().replace(":" + address.getPort(), ":" + proxy.port()),
                                    real.user(),
                                    real.password()),
                            2)) {
                Nodes node = new Nodes(database, "test", new Common("", "", ""));
                assertThat(node.beat()).isTrue();
                proxy.pause();
                CompletableFuture<Boolean> hanging = CompletableFuture.supplyAsync(node::beat);
                try {
                    await().atMost(Talker.LIMIT).until(() -> database.connectionsInUse() == 1);
                    node.stops();
                    node.leave();
                    assertThat(node.isStopping()).isTrue();
                    assertThat(hanging).isNotDone();
                } finally {
                    proxy.resume();
                }
                await().atMost(Talker.LIMIT).until(hanging::isDone);
                assertThat(node.beat()).isFalse();
            }
        }
    }

    @Test
    void aNodeThatCannotListenIsNotListed() {
        try (dev.parley.testing.Nodes nodes = dev.parley.testing.Nodes.onFreshDatabase()) {
            // A foreign address: the failure only shows after every other start.
            assertThatThrownBy(() -> nodes.start("--host", "192.0.2.1"))
                    .hasMessageStartingWith("Cannot listen on 192.0.2.1:0");
            assertThat(nodes.count("select count(*) from nodes")).isZero();
        }
    }

    /** New work is refused with a retryable error; the messages of active runs belong to their runs. */
    @Test
    void newWorkIsRefusedOnEveryFaceWhileRunsFinish() {
        try (dev.parley.testing.Nodes nodes = dev.parley.testing.Nodes.onFreshDatabase()) {
            String key = "k".repeat(32);
            dev.parley.testing.Nodes.Node node = nodes.start(
                    "--shutdown-grace",
                    "2m",
                    "--operators",
                    UUID.randomUUID().toString(),
                    "--integration-keys",
                    "relay=" + key);
            Talker ada = Talker.somebody("Ada");
            Api api = ada.on(node);
            String slow = UUID.randomUUID().toString();
            Talker.must(ada.startRun(node, slow, "long", "/slow 6000"));
            String agent = api.post("/api/v1/owner/agents", "{}").text("agent_id");
            String token = api.post("/api/v1/owner/external-agents/tokens", "{\"agent_actor_id\":\"" + agent + "\"}")
                    .text("raw_token");
            String thread = api.post("/api/v1/chat/threads", "{\"participants\":[\"agent:" + agent + "\"]}")
                    .text("thread_id");
            String chat = Talker.THREADS + "/" + thread;
            CompletableFuture<Void> stopping = CompletableFuture.runAsync(node::close);
            await().atMost(Talker.LIMIT).until(() -> api.get("/health/ready").status() == 503);

            for (Api.Reply refused : List.of(
                    ada.post(node, thread, "k", "hello"),
                    api.post(Talker.THREADS, "{\"initial_message\":\"hello\"}"),
                    ada.startRun(node, thread, "new", "hello"),
                    api.post("/api/v1/agui", """
                            {"threadId":"t","runId":"r","tools":[],"context":[],"state":{},"forwardedProps":{},
                             "messages":[{"id":"m","role":"user","content":"hello"}]}"""),
                    node.api(key).post("/api/v1/ingest/chat", """
                            {"message":"hello","msg_metadata":{"source":"relay","sender_id":"relay:u",
                             "sender_display_name":"U","sender_type":"human","channel_external_id":"c"}}"""))) {
                assertThat(refused.status()).as(refused.toString()).isEqualTo(503);
                assertThat(refused.json().path("type").asString()).isEqualTo("/problems/shutting-down");
                assertThat(refused.header("Retry-After")).isPresent();
            }
            Talker.must(api.get(chat + "/messages"));
            Talker.must(node.api(token).post(chat + "/agent-messages", "{\"content\":\"the last of a run\"}"));
            Talker.must(api.post("/api/v1/agent/threads/" + slow + "/runs/long/cancel", "{}"));
            await().atMost(Talker.LIMIT).until(stopping::isDone);
            stopping.join();
        }
    }

    @Test
    void requestsAreServedUntilTheBalancerNotices() {
        try (dev.parley.testing.Nodes nodes = dev.parley.testing.Nodes.onFreshDatabase()) {
            dev.parley.testing.Nodes.Node node = nodes.start("--shutdown-drain", "5s");
            Api anybody = new Api(node.uri(), null);
            assertThat(anybody.get("/health/ready").status()).isEqualTo(200);
            long begun = System.nanoTime();
            CompletableFuture<Void> stopping = CompletableFuture.runAsync(node::close);
            await().atMost(Talker.LIMIT)
                    .until(() -> anybody.get("/health/ready").status() == 503);
            Talker ada = Talker.somebody("Ada");
            String thread = ada.newThread(node);
            Talker.must(ada.post(node, thread, "k", "hello"));
            assertThat(ada.startRun(node, thread, "r", "hello").status()).isEqualTo(202);
            await().atMost(Talker.LIMIT).until(stopping::isDone);
            stopping.join();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofSeconds(5));
        }
    }
}
