package dev.parley.api.agui;

import static dev.parley.api.agui.AguiCaller.input;
import static dev.parley.api.agui.AguiCaller.message;
import static dev.parley.api.agui.AguiCaller.types;
import static dev.parley.api.agui.AguiCaller.user;
import static dev.parley.api.agui.AguiCaller.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Inputs that are refused before the stream begins, the form of the refusal, and odd inputs that are accepted. */
class AguiRefusalsTest {
    private static final int BODY = 20_000;
    private static final int TEXT = 100;

    @AutoClose
    private static final RunningServer server = RunningServer.start(
            "--rate-limits",
            "off",
            "--limit-agui-body",
            Integer.toString(BODY),
            "--limit-agui-text",
            Integer.toString(TEXT));

    private final AguiCaller caller = AguiCaller.somebody(server);
    private final String thread = UUID.randomUUID().toString();

    /** The only error shape of which clients show more than its text. */
    private static JsonNode assertRefused(Api.Reply reply, int status, String code) {
        assertThat(reply.status()).as(reply.toString()).isEqualTo(status);
        assertThat(reply.header("content-type").orElseThrow()).startsWith("application/json");
        JsonNode body = reply.json();
        assertThat(body.at("/error/code").asString()).isEqualTo(code);
        assertThat(body.at("/error/message").asString())
                .isNotEmpty()
                .isEqualTo(body.get("message").asString());
        assertThat(body.get("type").asString()).isEqualTo("/problems/" + code);
        assertThat(body.get("status").asInt()).isEqualTo(status);
        return body;
    }

    private void assertNothingWritten() {
        assertThat(types(caller.connect(thread))).containsExactly("RUN_STARTED", "RUN_FINISHED");
    }

    /** An input of exactly so many bytes. */
    private String sized(int bytes) {
        String empty = Json.MAPPER.writeValueAsString(
                with(input(thread, "r1", user("u1", "hello")), "forwardedProps", Map.of("filling", "")));
        return empty.replace("\"filling\":\"\"", "\"filling\":\"" + "x".repeat(bytes - empty.length()) + "\"");
    }

    @Test
    void aBodyHasALimit() {
        assertRefused(caller.api().post(AguiCaller.RUN, sized(BODY + 1)), 413, "payload-too-large");
        assertNothingWritten();
        assertThat(sized(BODY)).hasSize(BODY);
        assertThat(caller.api().post(AguiCaller.RUN, sized(BODY)).status()).isEqualTo(200);
    }

    @Test
    void aTextHasALimitInCodePoints() {
        for (Map<String, Object> tooLong :
                List.of(user("u1", "🧵".repeat(TEXT + 1)), user("u1", List.of(text("🧵".repeat(TEXT)), text("x"))))) {
            JsonNode body = assertRefused(caller.post(input(thread, "r1", tooLong)), 400, "invalid-fields");
            assertThat(body.at("/errors/0/field").asString()).isEqualTo("messages[0].content");
        }
        assertNothingWritten();
        assertThat(types(caller.run(thread, "r1", user("u1", "🧵".repeat(TEXT)))))
                .endsWith("RUN_FINISHED");
        // A message that is not stored may be as long as the body.
        assertThat(types(caller.run(
                        thread,
                        "r2",
                        message("a1", "assistant", "x".repeat(TEXT * 2)),
                        message("s1", "system", "x".repeat(TEXT * 2)),
                        user("u2", "hello"))))
                .endsWith("RUN_FINISHED");
    }

    private static Map<String, Object> text(String text) {
        return Map.of("type", "text", "text", text);
    }

    private static String nested(int levels) {
        return "[".repeat(levels) + "]".repeat(levels);
    }

    @Test
    void jsonHasADepth() {
        String json = Json.MAPPER.writeValueAsString(input(thread, "r1", user("u1", "hello")));
        String props = "\"forwardedProps\":{}";
        assertThat(json).contains(props);
        assertRefused(
                caller.api().post(AguiCaller.RUN, json.replace(props, "\"forwardedProps\":" + nested(64))),
                400,
                "invalid-json");
        assertNothingWritten();
        assertThat(caller.api()
                        .post(AguiCaller.RUN, json.replace(props, "\"forwardedProps\":" + nested(63)))
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "null", "7", "\"text\"", "{}", "{\"threadId\":\"t\",\"runId\":\"r\"}"})
    void invalidInputIsRefused(String body) {
        Api.Reply reply = caller.api().post(AguiCaller.RUN, body);
        assertRefused(reply, 400, reply.problem().orElseThrow());
    }

    @Test
    void everyMemberThatIsKnownMustBeRight() {
        Map<String, Object> wrong = new LinkedHashMap<>();
        wrong.put("threadId", 7);
        wrong.put("runId", List.of());
        wrong.put("messages", "none");
        wrong.put("tools", Map.of());
        wrong.put("context", "none");
        wrong.put("resume", 7);
        wrong.put("protocolVersion", 1);
        wrong.put("parentRunId", Map.of());
        wrong.forEach((member, value) -> {
            JsonNode body = assertRefused(
                    caller.post(with(input(thread, "r1", user("u1", "hello")), member, value)), 400, "invalid-fields");
            assertThat(body.at("/errors/0/field").asString()).startsWith(member);
        });
        List<Object> messages = List.of(
                Map.of("role", "user", "content", "no id"),
                Map.of("id", "u1", "role", "user"),
                Map.of("id", "u1", "content", "no role"),
                Map.of("id", "t1", "role", "tool", "content", "no call"),
                Map.of("id", "u1", "role", "user", "content", List.of(Map.of("type", "text"))),
                Map.of("id", "u1", "role", "user", "content", List.of(Map.of("type", "image"))),
                Map.of("id", "u1", "role", "user", "content", 7),
                Map.of("id", Map.of(), "role", "oracle"),
                Map.of("role", "oracle"),
                "text");
        for (Object message : messages) {
            JsonNode body = assertRefused(caller.post(input(thread, "r1", message)), 400, "invalid-fields");
            assertThat(body.at("/errors/0/field").asString()).startsWith("messages[0]");
        }
        assertNothingWritten();
    }

    @Test
    void unknownMembersAreLeftOutAndDoNotFailTheRun() {
        Map<String, Object> strange = user(
                "u1",
                List.of(
                        Map.of("type", "hologram", "data", 7),
                        Map.of("type", "image", "source", Map.of("type", "dream", "value", 7)),
                        text("hello")));
        strange.put("mood", "odd");
        Map<String, Object> input =
                with(input(thread, "r1", message("x1", "oracle", Map.of()), strange), "protocolVersion", "1.7");
        assertThat(types(caller.run(with(input, "later", Map.of())))).endsWith("RUN_FINISHED");
        assertThat(caller.said(thread)).containsExactly("hello", "You said: hello");
    }

    @Test
    void nullMeansAbsent() {
        Map<String, Object> input = input(thread, "r1", user("u1", "hello"));
        for (String member : List.of("parentRunId", "state", "tools", "context", "forwardedProps", "resume")) {
            input.put(member, null);
        }
        List<JsonNode> events = new ArrayList<>(caller.run(input));
        assertThat(types(events)).endsWith("RUN_FINISHED");
        assertThat(events.toString()).doesNotContain("null");
    }

    @Test
    void aParentThatOnlyTheClientKnowsIsNoFault() {
        assertThat(types(caller.run(with(input(thread, "r1", user("u1", "hello")), "parentRunId", "elsewhere"))))
                .endsWith("RUN_FINISHED");
    }

    @Test
    void unknownCallersAndPathsAreRefusedInTheSameShape() {
        String body = Json.MAPPER.writeValueAsString(input(thread, "r1", user("u1", "hello")));
        assertRefused(server.api((String) null).post(AguiCaller.RUN, body), 401, "unauthenticated");
        assertRefused(server.api("nonsense").get("/api/v1/agui/info"), 401, "unauthenticated");
        Api.Reply noAgent = caller.api().post("/api/v1/agui/agent/" + UUID.randomUUID() + "/run", body);
        assertRefused(noAgent, 404, "agent-not-found");
        assertRefused(caller.api().post("/api/v1/agui/agent/nobody/run", body), 404, "agent-not-found");
        assertRefused(caller.api().post("/api/v1/agui/agent/default/stop/nothing", "{}"), 404, "thread-not-found");
        Api.Reply nowhere = caller.api().get("/api/v1/agui/nowhere");
        assertRefused(nowhere, 404, nowhere.problem().orElseThrow());
        Api.Reply wrongMethod = caller.api().get(AguiCaller.RUN);
        assertRefused(wrongMethod, 405, wrongMethod.problem().orElseThrow());
        Api.Reply noJson =
                caller.api().send("POST", AguiCaller.RUN, "text/plain", body.getBytes(StandardCharsets.UTF_8));
        assertRefused(noJson, 415, "unsupported-media-type");
        assertNothingWritten();
    }

    @Test
    void infoListsTheAgentsThatTheCallerMayUse() {
        String own = caller.api()
                .post("/api/v1/owner/agents", "{\"display_name\":\"Mine\",\"kind\":\"demo\"}")
                .text("agent_id");
        JsonNode info = caller.api().get("/api/v1/agui/info").json();
        assertThat(info.get("mode").asString()).isEqualTo("sse");
        assertThat(info.at("/agents/default/kind").asString()).isEqualTo("demo");
        String demo = info.at("/agents/default/agentId").asString();
        assertThat(info.at("/agents/" + demo)).isEqualTo(info.at("/agents/default"));
        assertThat(info.at("/agents/" + own + "/name").asString()).isEqualTo("Mine");
        assertThat(AguiCaller.somebody(server)
                        .api()
                        .get("/api/v1/agui/info")
                        .json()
                        .get("agents")
                        .has(own))
                .isFalse();
        assertThat(types(AguiCaller.events(
                        caller.post("/api/v1/agui/agent/" + own + "/run", input(thread, "r1", user("u1", "hello"))))))
                .endsWith("RUN_FINISHED");
        assertThat(caller.log(thread).getLast().get("sender_id").asString()).isEqualTo("agent:" + own);
    }
}
