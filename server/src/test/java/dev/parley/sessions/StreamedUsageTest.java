package dev.parley.sessions;

import static dev.parley.sessions.AgnoEvents.content;
import static dev.parley.sessions.AgnoEvents.event;
import static dev.parley.sessions.AgnoEvents.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The tokens and the cost of streamed runs, on their messages and in the records of model usage. */
class StreamedUsageTest {
    @AutoClose
    private static final RunningServer server = StreamedSession.startWithPrices();

    private final StreamedSession session = StreamedSession.fresh(server);

    @Test
    void messagesOfAStreamedRunHaveTheUsageOfTheirRequestsAndIdsOfVersion7() {
        session.run("r1")
                .say(
                        event("RunStarted", "r1", "model", "gpt-4o", "model_provider", "OpenAI"),
                        event("ModelRequestCompleted", "r1", "input_tokens", 50, "output_tokens", 7),
                        event("ToolCallStarted", "r1", "tool", tool("c1", "add", Map.of("a", 1), null, false)))
                .say(
                        event("ToolCallCompleted", "r1", "tool", tool("c1", "add", Map.of("a", 1), "3", false)),
                        content("r1", "是三"),
                        event("ModelRequestCompleted", "r1", "input_tokens", 82, "output_tokens", 22),
                        event("RunCompleted", "r1", "content", "是三"));

        List<JsonNode> rows = session.rows();
        assertThat(rows)
                .extracting(row ->
                        row.path("role").asString() + " " + row.path("input_tokens") + "/" + row.path("output_tokens"))
                .containsExactly("assistant 50/7", "tool null/null", "assistant 82/22");
        assertThat(rows.getLast().path("cost").decimalValue()).isEqualByComparingTo("0.000576");
        assertThat(rows.getLast().path("cost_currency").asString()).isEqualTo("ZAR");
        assertThat(rows.getLast().at("/message_data/metrics/total_tokens").asInt())
                .isEqualTo(104);
        assertThat(session.messages().getLast().at("/usage/input_tokens").asInt())
                .isEqualTo(82);
        assertThat(rows)
                .allMatch(row -> UUID.fromString(row.path("id").asString()).version() == 7);
        assertThat(session.rows()).as("read again").isEqualTo(rows);
    }

    @Test
    void requestsOfMembersStandOnTheirOwnMessages() {
        session.by(session.user(), "t1")
                .say(
                        event("TeamRunStarted", "t1", "team_id", "council", "team_name", "Council"),
                        event("TeamModelRequestCompleted", "t1", "input_tokens", 1, "output_tokens", 1),
                        event("RunStarted", "m1", "agent_id", "ada", "agent_name", "Ada", "parent_run_id", "t1"),
                        event("ModelRequestCompleted", "m1", "input_tokens", 2, "output_tokens", 2),
                        event("ToolCallStarted", "m1", "tool", tool("c1", "add", Map.of(), null, false)),
                        event("ToolCallCompleted", "m1", "tool", tool("c1", "add", Map.of(), "3", false)),
                        content("m1", "Three"),
                        event("ModelRequestCompleted", "m1", "input_tokens", 3, "output_tokens", 3),
                        event("RunCompleted", "m1", "content", "Three"),
                        event("TeamRunContent", "t1", "content", "Yes"),
                        event("TeamModelRequestCompleted", "t1", "input_tokens", 4, "output_tokens", 4),
                        event("TeamRunCompleted", "t1", "content", "Yes"));

        assertThat(session.rows().stream()
                        .filter(row -> row.path("role").asString().equals("assistant"))
                        .map(row -> row.path("agent_name").asString("") + row.path("input_tokens")))
                .containsExactly("Ada2", "Ada3", "5");
    }

    @Test
    void totalOfARunStandsOnItsLastMessageUnlessItsRequestsWereReported() {
        session.run("r1")
                .say(
                        content("r1", "Hello"),
                        event("RunCompleted", "r1", "metrics", Map.of("input_tokens", 9, "output_tokens", 3)));
        assertThat(session.rows().getLast().path("input_tokens").asInt()).isEqualTo(9);
    }

    @Test
    void metricsOfAnAppendedMessageCountBeforeStreamedUsage() {
        session.run("r1")
                .say(
                        content("r1", "Hello"),
                        event("ModelRequestCompleted", "r1", "input_tokens", 5, "output_tokens", 2),
                        event("RunCompleted", "r1", "content", "Hello"));
        String plain = "{\"id\":\"a1\",\"role\":\"assistant\",\"content\":\"Hello\"}";
        String path = "/sessions/" + session.id() + "/chat-events";
        session.user().post(path, Map.of("message", Json.MAPPER.readTree(plain), "run_id", "r1"));
        assertThat(session.rows().getLast().path("message_id").asString()).isEqualTo("a1");
        assertThat(session.rows().getLast().path("input_tokens").asInt()).isEqualTo(5);
        assertThat(session.rows().getLast().path("message_data")).isEqualTo(Json.MAPPER.readTree(plain));
    }

    @Test
    void totalCountsOnlyWithoutRequests() {
        session.run("r1")
                .say(
                        event("RunStarted", "r1", "model", "gpt-4o-mini", "model_provider", "OpenAI"),
                        event(
                                "RunCompleted",
                                "r1",
                                "content",
                                "x",
                                "metrics",
                                Map.of("input_tokens", 1000, "output_tokens", 10)));
        assertThat(session.usage()).containsExactly("1|OpenAI|gpt-4o-mini|1000|10|0.00102|ZAR");
        session.run("r2")
                .say(event("RunCompleted", "r2", "content", "x", "metrics", Map.of("input_tokens", 7, "cost", 0.5)));
        assertThat(session.usage()).contains("0|||7|0.5|USD");
        session.run("r3")
                .say(
                        event("ModelRequestCompleted", "r3", "input_tokens", 3, "output_tokens", 1),
                        event("ModelRequestCompleted", "r3", "model", "gpt-4o", "input_tokens", 4),
                        event("RunCompleted", "r3", "content", "x", "metrics", Map.of("input_tokens", 70)));
        assertThat(session.usage())
                .as("reported in one post")
                .hasSize(4)
                .contains("0|||3|1")
                .anyMatch(row -> row.startsWith("1||gpt-4o|4|"));
    }
}
