package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.agents.Agents;
import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Runs that ask for recall are shown earlier messages of their thread that the agent would not see otherwise. */
class RecallTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start("--limit-context-messages", "6");

    private Api ann;
    private String thread;

    @BeforeEach
    void meet() {
        ann = server.api(UUID.randomUUID(), "Ann");
        thread = newThread(ann);
    }

    private static String newThread(Api owner) {
        return owner.post(
                        "/api/v1/chat/threads",
                        "{\"participants\": [\"" + Agents.DEMO + "\"], \"participation_mode\": \"invocation_only\"}")
                .text("thread_id");
    }

    private void say(String text, Map<String, Object> metadata) {
        Api.Reply said = ann.post(
                "/api/v1/chat/threads/" + thread + "/messages",
                Json.MAPPER.writeValueAsString(Map.of("content", text, "metadata", metadata)));
        assertThat(said.status()).as(said.toString()).isEqualTo(201);
    }

    private void chatter() {
        for (int i = 0; i < 12; i++) {
            say("something else " + i, Map.of());
        }
    }

    /** Asks the agent, and returns the context that it was shown. */
    private List<JsonNode> shown(String question, Map<String, Object> metadata) {
        say("@Demo " + question, metadata);
        String runs = "/api/v1/agent/threads/" + thread + "/runs";
        await().atMost(Duration.ofSeconds(30))
                .until(() ->
                        ann.get(runs).json().at("/runs/0/state").asString("").equals("completed"));
        String run = ann.get(runs).json().at("/runs/0/runId").asString();
        return ann.get(runs + "/" + run + "/context")
                .json()
                .get("messages")
                .valueStream()
                .toList();
    }

    private static List<JsonNode> recalled(List<JsonNode> shown) {
        return shown.stream()
                .filter(message -> message.get("transform").toString().contains("recalled"))
                .toList();
    }

    @Test
    void oldMessagesAreRecalledWithTheirSeq() {
        say("the garage code is 4711", Map.of());
        say("车库的密码是四七一一", Map.of());
        chatter();

        List<JsonNode> found = recalled(shown("what was the garage code?", Map.of("trigger_rag", true)));

        assertThat(found).hasSize(1);
        assertThat(found.getFirst().get("content").asString())
                .startsWith("<<<quoted ")
                .contains("\n#1 [Ann]: the garage code is 4711\n");
        assertThat(found.getFirst().get("seqs").toString()).isEqualTo("[1]");
        assertThat(recalled(shown("密码是什么", Map.of("trigger_rag", true)))
                        .getFirst()
                        .get("content")
                        .asString())
                .contains("#2 [Ann]: 车库的密码是四七一一");
    }

    @Test
    void recallHappensOnRequestOnly() {
        say("the garage code is 4711", Map.of());
        chatter();

        assertThat(recalled(shown("what was the garage code?", Map.of()))).isEmpty();
        assertThat(recalled(shown("what was the garage code?", Map.of("trigger_rag", false))))
                .isEmpty();
        assertThat(server.count("select count(*) from recall_words where thread_id = '" + thread + "'"))
                .isZero();
    }

    @Test
    void excludedAndDeletedMessagesAreNotRecalled() {
        say("the garage code is 1111", Map.of("include_in_memory", false));
        say("the garage code is 2222", Map.of());
        String second = ann.get("/api/v1/chat/threads/" + thread + "/messages")
                .json()
                .at("/messages/1/id")
                .asString();
        ann.delete("/api/v1/chat/threads/" + thread + "/messages/" + second);
        say("the garage code is 3333", Map.of("include_in_memory", true));
        chatter();

        String found =
                recalled(shown("garage code", Map.of("trigger_rag", true))).toString();

        assertThat(found).contains("3333").doesNotContain("1111", "2222");
    }

    @Test
    void otherThreadsAreNeverSearched() {
        say("the garage code is 4711", Map.of());
        chatter();
        assertThat(recalled(shown("garage code", Map.of("trigger_rag", true)))).hasSize(1);
        thread = newThread(ann);
        chatter();

        assertThat(recalled(shown("garage code", Map.of("trigger_rag", true)))).isEmpty();
    }
}
