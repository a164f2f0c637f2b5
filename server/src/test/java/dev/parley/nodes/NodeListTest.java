package dev.parley.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.Api;
import dev.parley.testing.CapturedLog;
import dev.parley.testing.Nodes;
import dev.parley.testing.StreamTap;
import dev.parley.testkit.RawHttp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The list of nodes for operators, and the differences that nodes report. */
class NodeListTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Talker olivia = Talker.somebody("Olivia");
    private final Nodes nodes = Nodes.onFreshDatabase();

    @AfterEach
    void stop() {
        nodes.close();
    }

    private Nodes.Node start(String name, String... flags) {
        List<String> all = new ArrayList<>(
                List.of("--node-name", name, "--operators", olivia.id().toString()));
        all.addAll(List.of(flags));
        return nodes.start(all.toArray(String[]::new));
    }

    private Map<String, JsonNode> list(Nodes.Node observer) {
        return Talker.must(olivia.on(observer).get("/api/v1/operator/nodes"))
                .path("nodes")
                .valueStream()
                .collect(Collectors.toMap(node -> node.path("name").asString(""), Function.identity()));
    }

    private static JsonNode named(Map<String, JsonNode> nodes, String name) {
        return Objects.requireNonNull(nodes.get(name), name);
    }

    private static String metrics(Nodes.Node node) throws IOException {
        String request = "GET /metrics HTTP/1.1\r\nHost: " + node.uri().getAuthority() + "\r\n\r\n";
        return RawHttp.exchange(node.uri(), request.getBytes(StandardCharsets.US_ASCII), LIMIT)
                .text();
    }

    @Test
    void eachNodeKnowsAllOfThemAndWhichOneAnswers() {
        Nodes.Node first = start("节点 1");
        Nodes.Node second = start("two");
        Map<String, JsonNode> seen = list(second);
        assertThat(seen).containsOnlyKeys("节点 1", "two");
        assertThat(named(seen, "two").path("answering").asBoolean()).isTrue();
        assertThat(named(seen, "节点 1").path("answering").asBoolean()).isFalse();
        assertThat(named(seen, "节点 1").path("address").asString())
                .isEqualTo(first.uri().toString());
        assertThat(seen.values()).allSatisfy(node -> {
            assertThat(node.path("state").asString()).isEqualTo("alive");
            assertThat(node.path("heartbeat_age_ms").asLong()).isBetween(0L, 15_000L);
            assertThat(node.path("differences").isEmpty()).isTrue();
        });
        // Reported with a heartbeat, after the first hint has returned.
        await().atMost(LIMIT)
                .until(() -> list(second).values().stream()
                        .allMatch(node -> node.path("bus_lag_ms").isNumber()));
        Api.Reply curious = Talker.somebody("Ben").on(first).get("/api/v1/operator/nodes");
        assertThat(curious.status()).isEqualTo(403);
    }

    @Test
    void aNodeWithoutANameIsCalledByItsHostAndPort() {
        Nodes.Node node = nodes.start("--operators", olivia.id().toString());
        assertThat(list(node).keySet().iterator().next())
                .endsWith(":" + node.uri().getPort());
    }

    @Test
    void aStoppedNodeIsGoneAndASilentOneIsListedForADay() throws IOException {
        Nodes.Node first = start("first");
        Nodes.Node second = start("second");
        second.close();
        // A node of an earlier version sends a heartbeat, and then sends no more.
        nodes.execute("insert into nodes (node_id, started_at, alive_until) values"
                + " ('00000000-0000-4000-8000-000000000001', now(), now() - interval '23 hours'),"
                + " ('00000000-0000-4000-8000-000000000002', now(), now() - interval '25 hours')");
        Map<String, JsonNode> seen = list(first);
        assertThat(seen).containsOnlyKeys("first", "");
        assertThat(named(seen, "").path("state").asString()).isEqualTo("silent");
        assertThat(named(seen, "").path("heartbeat_age_ms").asLong())
                .isGreaterThan(Duration.ofHours(23).toMillis());
        assertThat(named(seen, "").path("open_streams").isNull()).isTrue();
        String figures = metrics(first);
        assertThat(figures)
                .contains("parley_nodes 1.0")
                .contains("parley_runs_oldest_queued_seconds 0.0")
                .contains("parley_deliveries_oldest_due_seconds 0.0");
        assertThat(figures.lines().filter(line -> line.startsWith("parley_node_heartbeat_age_seconds{")))
                .hasSize(2)
                .anyMatch(line -> line.contains("node=\"first\""));
        first.close();
        assertThat(nodes.count("select count(*) from nodes")).isOne();
    }

    @Test
    void nodesListEachOthersLoad() {
        Nodes.Node first = start("first");
        Nodes.Node second = start("second", "--limit-runs-executing", "1");
        String thread = UUID.randomUUID().toString();
        olivia.startRun(first, thread, "slow", "/slow 3000");
        olivia.awaitState(first, thread, "slow", "running");
        try (StreamTap tap = olivia.follow(second, thread, "0")) {
            assertThat(tap.status()).isEqualTo(200);
            await().atMost(LIMIT).until(() -> {
                Map<String, JsonNode> seen = list(first);
                return named(seen, "second").path("open_streams").asInt() == 1
                        && seen.values().stream()
                                        .mapToInt(node ->
                                                node.path("runs_executing").asInt())
                                        .sum()
                                == 1;
            });
        }
        Talker.must(olivia.on(second).post("/api/v1/agent/threads/" + thread + "/runs/slow/cancel", "{}"));
    }

    @Test
    void nodesWithDifferentSettingsAreWarnedAndListed() {
        Nodes.Node first = start("first");
        try (CapturedLog log = new CapturedLog("dev.parley.app.ThisNode")) {
            Nodes.Node second = start(
                    "second",
                    "--jwt-secret",
                    "a secret that the other node does not know at all",
                    "--signing-secret",
                    "another secret that the other does not know",
                    "--storage-folder",
                    Nodes.scratchFolder().toString());
            assertThat(log.lines())
                    .hasSize(3)
                    .allMatch(line -> line.startsWith("Node first "))
                    .anyMatch(line -> line.endsWith("give all nodes the same jwt-secret."))
                    .anyMatch(line -> line.endsWith("give all nodes the same signing-secret."))
                    .anyMatch(line -> line.endsWith("give all nodes the same storage-folder, or a bucket."));
            assertThat(log.lines()).noneMatch(line -> line.contains("does not know"));
            assertThat(named(list(second), "first")
                            .path("differences")
                            .valueStream()
                            .map(JsonNode::asString))
                    .containsExactly("jwt-secret", "signing-secret", "storage");
            assertThat(named(list(first), "first").path("differences").isEmpty())
                    .isTrue();
        }
    }

    @Test
    void theFormerSecretFitsDuringARotation() {
        start("first");
        try (CapturedLog log = new CapturedLog("dev.parley.app.ThisNode")) {
            // The first node does not know the new secret yet, and refuses the second node's signatures.
            start("second", "--jwt-secret", "the new secret of all nodes, soon", "--jwt-secret-previous", Nodes.SECRET);
            assertThat(log.lines()).hasSize(1);
            start("third", "--jwt-secret", Nodes.SECRET, "--jwt-secret-previous", "the new secret of all nodes, soon");
            assertThat(log.lines()).hasSize(1);
        }
    }
}
