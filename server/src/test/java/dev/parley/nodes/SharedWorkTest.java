package dev.parley.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Json;
import dev.parley.sdk.SseFrame;
import dev.parley.testing.Api;
import dev.parley.testing.Nodes;
import dev.parley.testing.StreamTap;
import dev.parley.testkit.chat.LocalApi;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Two nodes receive the same request, or work on the same rows, at the same moment; the result is that of one node. */
class SharedWorkTest {
    private static final Talker OLIVIA = Talker.somebody("Olivia");
    private static final int ROUNDS = 8;
    /** A node that exists only as a row. */
    private static final UUID IDLE = new UUID(0x4000, 1L << 63);

    private static LocalApi receiver;
    private static Nodes nodes;
    private static Nodes.Node first;
    private static Nodes.Node second;

    private final Talker ada = Talker.somebody("Ada");
    private final Talker ben = Talker.somebody("بن");

    @BeforeAll
    static void start() {
        receiver = new LocalApi(request -> LocalApi.Answer.json(200, "{}"));
        nodes = Nodes.onFreshDatabase();
        first = nodes.start(flags());
        second = nodes.start(flags());
    }

    private static String[] flags() {
        return new String[] {
            "--operators",
            OLIVIA.id().toString(),
            "--rate-limits",
            "off",
            "--limit-runs-queued",
            "3",
            "--outbound-allow",
            receiver.url().getAuthority()
        };
    }

    @AfterAll
    static void stop() {
        nodes.close();
        receiver.close();
    }

    /** Sends the same request to both nodes at the same moment. */
    private static List<Api.Reply> race(Function<Nodes.Node, Api.Reply> call) throws Exception {
        CyclicBarrier together = new CyclicBarrier(4);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Api.Reply>> asked = new ArrayList<>();
            for (Nodes.Node node : List.of(first, second, first, second)) {
                asked.add(callers.submit(() -> {
                    together.await();
                    return call.apply(node);
                }));
            }
            List<Api.Reply> replies = new ArrayList<>();
            for (Future<Api.Reply> each : asked) {
                replies.add(each.get());
            }
            return replies;
        }
    }

    private static void assertSame(List<Api.Reply> replies, String member) {
        assertThat(replies).allMatch(reply -> reply.status() < 300);
        assertThat(replies.stream().map(reply -> reply.text(member)).distinct()).hasSize(1);
    }

    @Test
    void keyMakesOneMessage() throws Exception {
        String thread = ada.newThread(first);
        for (int i = 0; i < ROUNDS; i++) {
            String key = "key-" + i;
            assertSame(race(node -> ada.post(node, thread, key, "一条消息 " + key)), "id");
        }
        List<Long> seqs = Talker.must(ada.on(second).get(Talker.THREADS + "/" + thread + "/messages?limit=200"))
                .path("messages")
                .valueStream()
                .map(message -> message.path("thread_seq").asLong())
                .toList();
        assertThat(seqs)
                .isEqualTo(
                        IntStream.rangeClosed(1, ROUNDS).mapToObj(Long::valueOf).toList());
    }

    @Test
    void runIdMakesOneRun() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            String thread = UUID.randomUUID().toString();
            assertSame(race(node -> ada.startRun(node, thread, "run", "hello")), "taskId");
            ada.awaitState(first, thread, "run", "completed");
            assertThat(nodes.count("select count(*) from entries where thread_id = '" + thread + "'"))
                    .isEqualTo(2);
        }
    }

    @Test
    void finishedRunsAreCompactedByAllNodes() {
        String thread = UUID.randomUUID().toString();
        // A third node is alive and idle: a node that compacts more than its own share compacts this node's.
        nodes.execute("insert into nodes (node_id, started_at, alive_until) values ('" + IDLE
                + "', now(), now() + interval '1 hour')");
        int runs = 0;
        while (runs < 6 || shared(thread, "count(distinct node_id)", "true") < 3) {
            String run = "run-" + runs++;
            ada.startRun(runs % 2 == 0 ? first : second, thread, run, "/slow 20");
            ada.awaitState(first, thread, run, "completed");
        }
        String last = "run-" + (runs - 1);
        List<String> before = frames(thread, last);
        nodes.execute("update runs set ended_at = ended_at - interval '3 minutes' where thread_id = '" + thread + "'");
        await().atMost(Talker.LIMIT)
                .until(() -> shared(thread, "count(*)", "stored = 0 and node_id <> '" + IDLE + "'") == 0);
        assertThat(shared(thread, "count(*)", "stored = 1 and node_id = '" + IDLE + "'"))
                .isZero();
        nodes.execute("delete from nodes where node_id = '" + IDLE + "'");
        await().atMost(Talker.LIMIT)
                .until(() -> nodes.count("select count(*) from runs where stored = 0 and thread_id = '" + thread + "'")
                        == 0);
        assertThat(frames(thread, last)).isEqualTo(before);
    }

    /** Queries the runs of a thread, each with the node whose share it belongs to. */
    private static long shared(String thread, String what, String where) {
        return nodes.count("with shares as (select node_id, row_number() over (order by node_id) - 1 as place"
                + " from nodes where alive_until > now()) select " + what + " from runs join shares on place ="
                + " abs(hashtext(task_id::text)::bigint) % (select count(*) from shares)"
                + " where thread_id = '" + thread + "' and " + where);
    }

    /** The event types that a viewer of a run gets; a compacted run has fewer deltas of the same types. */
    private List<String> frames(String thread, String run) {
        try (StreamTap tap = ada.followRun(second, thread, run, "")) {
            await().atMost(Talker.LIMIT).until(tap::ended);
            return tap.frames().stream().map(SseFrame::event).distinct().toList();
        }
    }

    @Test
    void idempotencyKeyMakesOneThread() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            String header = "Idempotency-Key: thread-" + i;
            assertSame(race(node -> ada.on(node).post(Talker.THREADS, "{\"title\": \"one\"}", header)), "thread_id");
        }
    }

    @Test
    void platformEventMakesOneMessage() throws Exception {
        String key = Talker.must(OLIVIA.on(first)
                        .post("/api/v1/operator/integration-keys", Talker.json(Map.of("source", "relay"))))
                .path("raw_key")
                .asString();
        for (int i = 0; i < ROUNDS; i++) {
            String body = Talker.json(Map.of(
                    "message",
                    "from elsewhere",
                    "msg_metadata",
                    Map.of(
                            "source", "relay",
                            "sender_id", "relay:U1",
                            "sender_display_name", "Olivia",
                            "sender_type", "human",
                            "channel_external_id", "C" + i,
                            "external_message_id", "m" + i,
                            "external_event_id", "e" + i)));
            List<Api.Reply> replies = race(node -> node.api(key).post("/api/v1/ingest/chat", body));
            assertSame(replies, "message_id");
            assertThat(replies.stream()
                            .filter(reply -> !reply.json().path("duplicate").asBoolean()))
                    .hasSize(1);
        }
    }

    @Test
    void agentHasOneActiveRunInAThread() {
        String thread = UUID.randomUUID().toString();
        List<Nodes.Node> both = List.of(first, second);
        for (int i = 0; i < 3; i++) {
            assertThat(ada.startRun(both.get(i % 2), thread, "run-" + i, "/slow 5")
                            .status())
                    .isEqualTo(202);
        }
        for (int i = 0; i < 3; i++) {
            ada.awaitState(second, thread, "run-" + i, "completed");
        }
        // In the log each run ends before the next begins.
        List<String> marks =
                nodes.select("select r.run_id || case when payload like '%RUN_STARTED%' then ' begins' else '' end"
                        + " || case when payload like '%RUN_FINISHED%' then ' ends' else '' end"
                        + " from events e join runs r on r.task_id = e.run where e.thread_id = '" + thread
                        + "' and (payload like '%RUN_STARTED%' or payload like '%RUN_FINISHED%') order by position");
        assertThat(String.join(" ", marks))
                .isEqualTo("run-0 begins run-0 ends run-1 begins run-1 ends run-2 begins run-2 ends");
    }

    @Test
    void queueOfAThreadIsFullOnAllNodes() {
        String thread = UUID.randomUUID().toString();
        assertThat(ada.startRun(first, thread, "active", "/slow 2000").status()).isEqualTo(202);
        ada.awaitState(first, thread, "active", "running");
        assertThat(ada.startRun(second, thread, "q1", "hi").status()).isEqualTo(202);
        assertThat(ada.startRun(first, thread, "q2", "hi").status()).isEqualTo(202);
        assertThat(ada.startRun(second, thread, "q3", "hi").status()).isEqualTo(202);
        assertThat(ada.startRun(first, thread, "q4", "hi").problem()).contains("queue-full");
        assertThat(ada.startRun(second, thread, "q5", "hi").problem()).contains("queue-full");
        Talker.must(ada.on(second).post("/api/v1/agent/threads/" + thread + "/runs/active/cancel", "{}"));
        ada.awaitState(first, thread, "q3", "completed");
    }

    @Test
    void runCancelledOnAnotherNodeEmitsNothingMore() {
        for (Nodes.Node asked : List.of(first, second)) {
            String thread = UUID.randomUUID().toString();
            ada.startRun(asked, thread, "run", "/slow 3000");
            ada.awaitState(asked, thread, "run", "running");
            String executing = nodes.select(
                            "select n.address from nodes n join runs r on r.node = n.node_id where r.thread_id = '"
                                    + thread + "'")
                    .getFirst();
            Nodes.Node other = executing.equals(first.uri().toString()) ? second : first;
            try (StreamTap tap = ada.followRun(other, thread, "run", "")) {
                await().atMost(Talker.LIMIT)
                        .until(() -> !tap.frames("TEXT_MESSAGE_CONTENT").isEmpty());
                JsonNode answer =
                        Talker.must(ada.on(other).post("/api/v1/agent/threads/" + thread + "/runs/run/cancel", "{}"));
                assertThat(answer.toString()).contains("accepted");
                long acknowledged =
                        nodes.count("select last_position from thread_heads where thread_id = '" + thread + "'");
                await().atMost(Talker.LIMIT).until(tap::ended);
                assertThat(tap.frames().getLast().event()).isEqualTo("RUN_FINISHED");
                await().atMost(Talker.LIMIT).until(() -> executing() == 0);
                assertThat(nodes.count("select count(*) from events where run is not null and thread_id = '" + thread
                                + "' and position > " + acknowledged))
                        .isZero();
            }
        }
    }

    /** The number of runs that all nodes report to execute. */
    private static int executing() {
        return Talker.must(OLIVIA.on(first).get("/api/v1/operator/nodes"))
                .path("nodes")
                .valueStream()
                .mapToInt(node -> node.path("runs_executing").asInt())
                .sum();
    }

    @Test
    void ticketOfOneNodeOpensAStreamOnAnother() {
        String thread = ada.newThread(first);
        String path = Talker.THREADS + "/" + thread + "/events/stream";
        String ticket = Talker.must(
                        ada.on(first).post("/api/v1/auth/stream-tickets", Talker.json(Map.of("path", path))))
                .path("ticket")
                .asString();
        try (StreamTap tap = StreamTap.open(second.uri(), path + "?after_seq=0&ticket=" + ticket)) {
            assertThat(tap.status()).isEqualTo(200);
            ada.post(first, thread, "k", "hello 👋");
            await().atMost(Talker.LIMIT)
                    .until(() -> tap.frames().stream().map(SseFrame::data).anyMatch(data -> data.contains("hello")));
        }
    }

    @Test
    void participantRemovedOnOneNodeLosesAccessOnAll() {
        String thread = ada.newThread(first, ben);
        try (StreamTap tap = ben.follow(second, thread, "0")) {
            assertThat(tap.status()).isEqualTo(200);
            Talker.must(ada.on(first).delete(Talker.THREADS + "/" + thread + "/participants/user:" + ben.id()));
            await().atMost(Talker.LIMIT).until(tap::ended);
        }
    }

    @Test
    void tokenRevokedOnOneNodeIsInvalidOnAll() {
        String agent = Talker.must(
                        ada.on(first).post("/api/v1/owner/agents", Talker.json(Map.of("display_name", "Bot"))))
                .path("agent_id")
                .asString();
        JsonNode token = Talker.must(ada.on(first)
                .post(
                        "/api/v1/owner/external-agents/tokens",
                        Talker.json(Map.of("agent_actor_id", agent, "scopes", List.of("observe", "speak")))));
        String raw = token.path("raw_token").asString();
        try (StreamTap tap = StreamTap.open(second.uri(), "/api/v1/chat/inbox/stream", raw)) {
            assertThat(tap.status()).isEqualTo(200);
            Talker.must(ada.on(first)
                    .delete("/api/v1/owner/external-agents/tokens/"
                            + token.path("token_id").asString()));
            assertThat(second.api(raw).get("/api/v1/auth/me").status()).isEqualTo(401);
            await().atMost(Talker.LIMIT).until(tap::ended);
        }
    }

    @Test
    void objectOfOneNodeIsReadOnAnother() {
        String path = "/agent-files/agent-inputs/" + ada.id() + "/notes/note.txt";
        byte[] bytes = "内容 ✓".getBytes(StandardCharsets.UTF_8);
        assertThat(ada.on(first)
                        .send("POST", "/storage/v1/object" + path, "text/plain", bytes)
                        .status())
                .isEqualTo(200);
        assertThat(ada.on(second).get("/storage/v1/object" + path).answer().body())
                .isEqualTo(bytes);
        String signed = Talker.must(ada.on(first).post("/storage/v1/object/sign" + path, "{\"expiresIn\": 60}"))
                .path("signedURL")
                .asString();
        assertThat(new Api(second.uri(), null)
                        .get("/storage/v1" + signed.substring(signed.indexOf("/object/sign")))
                        .answer()
                        .body())
                .isEqualTo(bytes);
    }

    @Test
    void webhookGetsEveryMessageOnceAndInOrder() {
        String thread = ada.newThread(first);
        Talker.must(ada.on(second)
                .post(
                        Talker.THREADS + "/" + thread + "/webhooks",
                        Talker.json(Map.of("callback_url", receiver.url() + "/" + thread))));
        int count = 40;
        for (int i = 0; i < count; i++) {
            assertThat(ada.post(i % 2 == 0 ? first : second, thread, "k" + i, "message " + i)
                            .status())
                    .isEqualTo(201);
        }
        await().atMost(Talker.LIMIT).until(() -> delivered(thread).size() >= count);
        assertThat(delivered(thread))
                .isEqualTo(
                        IntStream.range(0, count).mapToObj(i -> "message " + i).toList());
    }

    private static List<String> delivered(String thread) {
        return receiver.requests(thread).stream()
                .flatMap(each -> Json.MAPPER.readTree(each.body()).findValuesAsString("content").stream())
                .toList();
    }

    @Test
    void deletedThreadIsMarkedPurgedOnlyWhenNoRowIsLeft() throws Exception {
        String thread = ada.newThread(first);
        nodes.execute("insert into entry_keys (thread_id, key, seq) select '" + thread
                + "', gen_random_uuid(), 1 from generate_series(1, 6000)");
        try (Connection third = nodes.connect();
                Statement purging = third.createStatement()) {
            third.setAutoCommit(false);
            // Another node purges the same thread and dies after its first batch.
            purging.execute("delete from entry_keys where ctid = any (array("
                    + "select ctid from entry_keys where thread_id = '" + thread + "' limit 5000))");
            Talker.must(ada.on(second).delete(Talker.THREADS + "/" + thread));
            await().atMost(Talker.LIMIT)
                    .until(() -> nodes.count("select count(*) from pg_stat_activity where datname = current_database()"
                                    + " and wait_event_type = 'Lock' and query like 'delete from entry_keys%'")
                            > 0);
            third.commit();
        }
        String purged = "select count(*) from threads t where purged_at is not null and thread_id = '" + thread + "'";
        String andLeft = " and exists (select 1 from entry_keys k where k.thread_id = t.thread_id)";
        await().atMost(Talker.LIMIT).until(() -> {
            assertThat(nodes.count(purged + andLeft)).isZero();
            return nodes.count(purged) == 1;
        });
    }
}
