package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.face.docs.ApiDocument;
import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.ApiSchemas;
import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Messages in a history, and the handling of an agent's hints. */
class HistoryMessagesTest {
    private static final String AT = "2026-03-15T10:00:00Z";
    private static final ApiDocument DOCUMENT = ApiDocument.load();
    private static final ApiSchemas SCHEMAS = new ApiSchemas(DOCUMENT);

    @AutoClose
    private static final RunningServer server = RunningServer.start("--locale", "pt-BR");

    private final UUID user = UUID.randomUUID();
    private final Api api = server.api(user, "Ada");
    private final FilledThread thread = FilledThread.of(server, api);

    @AfterEach
    void checkHistoryAgainstOpenApi() {
        JsonNode schema = FilledThread.json("{\"$ref\": \"#/components/schemas/HistoryDay\"}");
        assertThat(SCHEMAS.faults(schema, thread.history(""))).isEmpty();
    }

    private JsonNode message(int index) {
        return thread.history("").path("messages").path(index);
    }

    @Test
    void aQuestionAndAnAnswerHaveTheMembersOfTheirRoles() {
        thread.add("user:a", "user", 0, null, "帮我创建一个日程 👩‍👩‍👧 العربية", null, "msg-001", AT)
                .add("agent:b", "assistant", 0, null, "好的", "{\"stage\": \"execution\", \"n\": 1.50}", null, AT)
                .add("agent:b", "tool", 0, null, "{}", null, null, "2026-03-15T10:00:05Z");
        assertThat(thread.history("").path("messages").toString()).isEqualTo("""
                        [{"id":"msg-001","seq":1,"role":"user","content":"帮我创建一个日程 👩‍👩‍👧 العربية","url":null,\
                        "metadata":null,"timestamp":"2026-03-15T10:00:00Z","attachments":[]},\
                        {"id":"id-2","seq":2,"role":"assistant","content":"好的","uiSchema":null,\
                        "metadata":{"stage":"execution","n":1.50},"timestamp":"2026-03-15T10:00:00Z","usage":null},\
                        {"id":"id-3","seq":3,"role":"tool","content":"{}","uiSchema":null,"metadata":null,\
                        "timestamp":"2026-03-15T10:00:05Z","usage":null}]""");
    }

    @Test
    void idsAreThoseThatClientsGaveAndMayRepeat() {
        AgentCaller caller = new AgentCaller(server, api);
        for (String run : List.of("run-1", "run-2")) {
            Map<String, Object> input = AgentCaller.input(thread.id(), run, "hello");
            input.put("messages", List.of(Map.of("id", "msg-001", "role", "user", "content", "hello")));
            assertThat(caller.start(input).status()).isEqualTo(202);
            caller.follow(thread.id(), run);
        }
        assertThat(message(0).path("id").asString()).isEqualTo("msg-001");
        assertThat(message(2).path("id").asString()).isEqualTo("msg-001");
        assertThat(message(2).path("seq").asInt()).isEqualTo(3);
    }

    @Test
    void systemMessagesAndRevisionsMakeNoDay() {
        thread.add("system:parley", "system", 0, null, "hidden", null, null, "2026-03-10T00:00:00Z")
                .user("2026-03-11T00:00:00Z", "seen")
                .add("system:parley", "system", 0, null, "hidden", null, null, "2026-03-12T00:00:00Z")
                .add("user:a", "user", 3, 2L, "👍", null, null, "2026-03-13T00:00:00Z");
        assertThat(thread.day("")).isEqualTo("2026-03-11 2");
        assertThat(thread.day("&before=2026-03-13")).isEqualTo("2026-03-11 2");
        assertThat(thread.day("&before=2026-03-11")).isEqualTo("none ");
    }

    @Test
    void revisionsOfAMessageAreMarked() {
        thread.add("user:a", "user", 0, null, "edited", "{\"a\": 1}", null, AT)
                .add("user:a", "user", 0, null, "deleted", "{\"a\": 1}", null, AT)
                .add("user:a", "user", 0, null, "withdrawn", null, null, AT)
                .add("agent:b", "assistant", 0, null, "superseded", "{\"a\": 1}", null, AT)
                .add("user:a", "user", 1, 1L, "better", null, null, "2026-03-16T10:00:00Z")
                .add("user:a", "user", 1, 2L, "worse", null, null, "2026-03-16T10:00:00Z")
                .add("user:a", "user", 2, 2L, "", null, null, "2026-03-16T10:00:00Z")
                .add("system:parley", "system", 5, 3L, "", null, null, "2026-03-16T10:00:00Z")
                .add("system:parley", "system", 6, 3L, "", null, null, "2026-03-16T10:00:00Z");
        assertThat(thread.day("")).isEqualTo("2026-03-15 1,2,3,4");
        assertThat(message(0).path("content").asString()).isEqualTo("better");
        assertThat(message(0).path("metadata")).hasToString("{\"a\":1,\"edited\":true}");
        assertThat(message(1).path("content").asString()).isEmpty();
        assertThat(message(1).path("metadata")).hasToString("{\"deleted\":true}");
        assertThat(message(2).path("content").asString()).isEqualTo("withdrawn");
        assertThat(message(2).path("metadata")).hasToString("{\"withdrawn\":true}");
        assertThat(message(3).path("metadata")).hasToString("{\"a\":1,\"superseded\":true}");
    }

    @Test
    void attachmentsStandBesideTheMetadataWhereTheServerPutThem() {
        String first = "{\"bucket\": \"agent-files\", \"path\": \"a/b.png\", \"mime_type\": \"image/png\"}";
        thread.add("user:a", "user", 0, null, "two files", """
                        {"user_message_attachments": %s, "attachments": [
                            {"bucket": "agent-files", "path": "a/b.png", "mime_type": "image/png", "filename": "b.png",
                             "width": 3, "height": 2}, {"bucket": "agent-files", "path": "c", "width": "x"}, {}, 5]}""".formatted(first), null, AT)
                .add("user:a", "user", 0, null, "one", "{\"user_message_attachments\": " + first + "}", null, AT)
                .add("user:a", "user", 0, null, "a client said so", "{\"attachments\": [" + first + "]}", null, AT);
        assertThat(message(0).path("metadata"))
                .isEqualTo(FilledThread.json("{\"user_message_attachments\": " + first + "}"));
        assertThat(message(0).path("attachments")).isEqualTo(FilledThread.json("""
                [{"bucket": "agent-files", "path": "a/b.png", "mime_type": "image/png", "filename": "b.png", "width": 3,
                  "height": 2, "url": null},
                 {"bucket": "agent-files", "path": "c", "mime_type": null, "filename": null, "width": null,
                  "height": null, "url": null}]"""));
        assertThat(message(1).path("attachments")).hasSize(1);
        assertThat(message(2).path("attachments")).isEmpty();
        assertThat(message(2).at("/metadata/attachments")).hasSize(1);
    }

    @Test
    void cardOfARunNamesItsOrigin() {
        AgentCaller caller = new AgentCaller(server, api);
        caller.start(thread.id(), "run-w", "weather in Lisbon");
        caller.follow(thread.id(), "run-w");
        JsonNode messages = thread.history("").path("messages");
        JsonNode tool = messages.valueStream()
                .filter(each -> each.path("role").asString().equals("tool"))
                .findFirst()
                .orElseThrow()
                .path("uiSchema");
        assertThat(tool.path("status").asString()).isEqualTo("success");
        assertThat(tool.path("locale").asString()).isEqualTo("pt-BR");
        assertThat(tool.at("/meta/requestId").asString()).isEqualTo("run-w");
        assertThat(tool.at("/meta/toolId").asString()).isNotBlank();
        assertThat(tool.at("/meta/userId").asString()).isEqualTo(user.toString());
        assertThat(tool.path("meta").has("traceId")).isFalse();
        JsonNode answer = messages.path(messages.size() - 1).path("uiSchema");
        assertThat(answer.at("/root/children/0/role").asString()).isEqualTo("title");
        assertThat(answer.path("meta").has("toolId")).isFalse();
    }

    @Test
    void hintsOfTheOtherRoleAndOfNoRunAreTreatedAsSuch() {
        String hints = "{\"%s\": {\"ui_hints\": {\"title\": \"T\"}}%s}";
        thread.add("agent:b", "assistant", 0, null, "x", hints.formatted("worker_agent_output", ""), null, AT)
                .add("agent:b", "assistant", 0, null, "x", hints.formatted("tool_agent_output", ""), null, AT)
                .add(
                        "agent:b",
                        "tool",
                        0,
                        null,
                        "x",
                        hints.formatted("tool_agent_output", ", \"trace_id\": \"t\""),
                        null,
                        AT)
                .add("agent:b", "tool", 0, null, "x", "{\"tool_agent_output\": [1], \"run_id\": 5}", null, AT)
                .add("user:a", "user", 0, null, "x", hints.formatted("worker_agent_output", ""), null, AT)
                .add("agent:b", "assistant", 0, null, "x", hints.formatted("worker_agent_output", ""), null, AT)
                .add("agent:b", "assistant", 2, 6L, "", null, null, AT);
        assertThat(message(0).path("uiSchema").has("meta")).isFalse();
        assertThat(message(1).path("uiSchema").isNull()).isTrue();
        assertThat(message(2).at("/uiSchema/meta")).hasToString("{\"traceId\":\"t\"}");
        assertThat(message(3).path("uiSchema").isNull()).isTrue();
        assertThat(message(4).has("uiSchema")).isFalse();
        assertThat(message(5).path("uiSchema").isNull()).as("deleted").isTrue();
        assertThat(Json.MAPPER.writeValueAsString(message(0))).contains("\"version\":\"2.0\"");
    }
}
