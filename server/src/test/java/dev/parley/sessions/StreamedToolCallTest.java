package dev.parley.sessions;

import static dev.parley.sessions.Session.COMPLETED;
import static dev.parley.sessions.Session.answer;
import static dev.parley.sessions.Session.content;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.RunningServer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Streamed tool calls, their results and the messages that a client posts for them afterwards. */
class StreamedToolCallTest {
    @AutoClose
    private static final RunningServer server = Session.start();

    @Test
    void postedCallsAndResultsMatchTheStreamedOnes() {
        Session session = Session.fresh(server);
        String tool =
                "{\"event\":\"%s\",\"tool\":{\"tool_call_id\":\"%s\",\"tool_name\":\"w\",\"tool_args\":{},\"result\":\"%s\"}}";
        session.stream(
                "r1",
                0,
                content("Let me look."),
                tool.formatted("ToolCallStarted", "c1", ""),
                tool.formatted("ToolCallStarted", "c2", ""),
                tool.formatted("ToolCallCompleted", "c1", "21"),
                tool.formatted("ToolCallError", "c2", "no"),
                content("21 degrees."),
                COMPLETED);
        int streamed = session.chat().size();
        String calls = "{\"id\":\"%s\",\"type\":\"function\",\"function\":{\"name\":\"w\",\"arguments\":\"{}\"}}";
        List<String> told = List.of(
                "{\"id\":\"m1\",\"role\":\"assistant\",\"content\":\"Let me look.\",\"tool_calls\":[%s,%s]}"
                        .formatted(calls.formatted("c1"), calls.formatted("c2")),
                "{\"id\":\"m2\",\"role\":\"tool\",\"content\":\"no\",\"tool_call_id\":\"c2\",\"tool_call_error\":true}",
                "{\"id\":\"m3\",\"role\":\"tool\",\"content\":\"21\",\"tool_call_id\":\"c1\"}",
                answer("m4", "21 degrees."));
        for (String message : told) {
            assertThat(session.tell("r1", message).status()).isEqualTo(201);
        }
        assertThat(session.chat().size()).isEqualTo(streamed);
        JsonNode given = Json.MAPPER.readTree(session.messages("?tools=safe"));
        assertThat(given.valueStream().map(each -> each.path("id").asString()))
                .as("each message once")
                .containsExactlyInAnyOrder("m1", "m2", "m3", "m4");
    }

    @Test
    void unpostedMessagesStayVisible() {
        Session session = Session.fresh(server);
        String tool =
                "{\"event\":\"%s\",\"tool\":{\"tool_call_id\":\"c1\",\"tool_name\":\"w\",\"tool_args\":{},\"result\":\"21\"}}";
        session.stream(
                "r1",
                0,
                content("Let me look."),
                tool.formatted("ToolCallStarted"),
                tool.formatted("ToolCallCompleted"),
                content("21 degrees."),
                COMPLETED);
        session.tell("r1", answer("a1", "21 degrees."));
        JsonNode rows = session.rows();
        assertThat(rows.size()).isEqualTo(3);
        assertThat(rows.get(0).path("agent_name").asString()).isEqualTo("Weather");
        assertThat(rows.get(0).path("run_id").asString()).isEqualTo("r1");
        assertThat(rows.get(2).path("message_id").asString()).isEqualTo("a1");
    }

    @Test
    void unstreamedCallsKeepTheirOrder() {
        Session session = Session.fresh(server);
        session.stream("r1", 0, content("21 degrees."), COMPLETED);
        List<String> told = List.of(
                "{\"id\":\"m1\",\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"w\",\"arguments\":\"{}\"}}]}",
                "{\"id\":\"m2\",\"role\":\"tool\",\"content\":\"21\",\"tool_call_id\":\"c1\"}",
                answer("m3", "21 degrees."));
        told.forEach(message -> assertThat(session.tell("r1", message).status()).isEqualTo(201));
        assertThat(session.chat().size()).isEqualTo(1);
        assertThat(session.chat().get(0).path("edited_at").isNull()).isTrue();
        assertThat(session.messages("?tools=safe")).isEqualTo("[" + String.join(",", told) + "]");
    }

    private static String tool(String event, @Nullable String id, String result) {
        return "{\"event\":\"%s\",\"tool\":{\"tool_call_id\":%s,\"tool_name\":\"w\",\"tool_args\":{},\"result\":\"%s\"}}"
                .formatted(event, id, result);
    }

    private static String calling(String id, @Nullable String call) {
        return "{\"id\":\"%s\",\"role\":\"assistant\",\"tool_calls\":[{%s\"function\":{\"name\":\"w\",\"arguments\":\"{}\"}}]}"
                .formatted(id, call == null ? "" : "\"id\":" + call + ",");
    }

    private static String result(String id, @Nullable String call, String text) {
        return "{\"id\":\"%s\",\"role\":\"tool\",\"tool_name\":\"w\",\"content\":\"%s\"%s}"
                .formatted(id, text, call == null ? "" : ",\"tool_call_id\":" + call);
    }

    /** Ids of calls repeat in every turn, are missing, or are very long, as the provider likes. */
    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "\"call_0\"",
                "\"calculate-the-temperature-in-every-town-of-the-country-and-in-all-its-villages-one-after-the-other-1234567890\""
            })
    void postedCallsOfOneNameMatchTheStreamedOnes(@Nullable String call) {
        Session session = Session.fresh(server);
        session.stream(
                "r1",
                0,
                tool("ToolCallStarted", call, ""),
                tool("ToolCallCompleted", call, "21 °C"),
                tool("ToolCallStarted", call, ""),
                tool("ToolCallCompleted", call, "٢٢ °C"),
                content("It is warm."),
                COMPLETED);
        List<String> streamed = session.contents();

        List<String> told = List.of(
                calling("m1", call),
                result("m2", call, "21 °C"),
                calling("m3", call),
                result("m4", call, "٢٢ °C"),
                answer("m5", "It is warm."));
        told.forEach(message -> assertThat(session.tell("r1", message).status()).isEqualTo(201));

        assertThat(streamed).hasSize(5).contains("21 °C", "٢٢ °C");
        assertThat(session.contents()).as("nothing is changed or added").isEqualTo(streamed);
        assertThat(session.rows().valueStream().map(row -> row.path("seq").asLong()))
                .as("each beside its own entry")
                .hasSize(5)
                .doesNotHaveDuplicates();
    }

    /**
     * Roles are free text: any unknown role is the agent. Messages that are not posted are shown as they were streamed.
     */
    @ParameterizedTest
    @ValueSource(strings = {"assistant", "model", "Assistant"})
    void messageOfAnyRoleMatchesTheAnswer(String role) {
        Session session = Session.fresh(server);
        session.stream("r1", 0, tool("ToolCallCompleted", "\"c1\"", "21"), content("It is 21."), COMPLETED);
        session.tell("r1", "{\"id\":\"a1\",\"role\":\"%s\",\"content\":\"It is 21.\"}".formatted(role));
        assertThat(session.rows()
                        .valueStream()
                        .map(row -> row.path("message_id").asString()))
                .hasSize(3)
                .endsWith("a1");
        assertThat(session.chat().size()).isEqualTo(3);
    }
}
