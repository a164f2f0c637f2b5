package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.agents.Agents;
import dev.parley.protocol.Json;
import dev.parley.runs.input.SeedBodies;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The input of a run: each broken rule answers its sentence, and the thread is made with the first run. */
class RunInputTest {
    private static final int LIMIT_BYTES = 262_144;
    private static final String SEED_THREAD = "550e8400-e29b-41d4-a716-446655440000";

    @AutoClose
    private static final RunningServer server = RunningServer.start();

    private final AgentCaller caller = AgentCaller.somebody(server);
    private final String thread = UUID.randomUUID().toString();

    @Test
    void documentedExamplesAnswerAsPrinted() {
        Api.Reply text = caller.startBy(SeedBodies.TEXT);
        Api.Reply tools = caller.startBy(SeedBodies.TOOLS);
        Api.Reply image = caller.startBy(SeedBodies.IMAGE);
        Api.Reply attachment = caller.startBy(SeedBodies.ATTACHMENT);

        assertThat(text.status()).as(text.toString()).isEqualTo(202);
        assertThat(text.text("threadId")).isEqualTo(SEED_THREAD);
        assertThat(text.text("runId")).isEqualTo("run-001");
        assertThat(text.header("Location"))
                .contains("/api/v1/agent/runs/" + SEED_THREAD + "/events?runId=" + text.text("taskId"));
        assertThat(tools.status()).as(tools.toString()).isEqualTo(202);
        expectRefusal(image, 400, "binary content url must be a valid signed URL");
        expectRefusal(attachment, 400, "threadId must be a valid UUID");
    }

    @Test
    void documentedExampleWithAUuidIsRefusedForItsUrl() {
        expectRefusal(
                caller.startBy(SeedBodies.ATTACHMENT.replace("thread-123", thread)),
                400,
                "binary content url must be a valid signed URL");
        assertThat(caller.api().get("/api/v1/chat/threads/" + thread).status()).isEqualTo(404);
    }

    static Stream<Arguments> brokenRules() {
        return Stream.of(
                broken("threadId must be a valid UUID", body -> with(body, "threadId", "thread-123")),
                broken("threadId must be a valid UUID", body -> without(body, "threadId")),
                broken("runId exceeds length limit", body -> with(body, "runId", "r".repeat(129))),
                broken("runId is required", body -> with(body, "runId", "")),
                broken("runId is required", body -> without(body, "runId")),
                broken("RunAgentInput.messages exceeds limit", body -> messages(body, many(201))),
                broken(
                        "RunAgentInput user message text exceeds limit",
                        body -> messages(body, List.of(user("👋".repeat(10_001))))),
                broken(
                        "RunAgentInput user message text exceeds limit",
                        body -> messages(
                                body, List.of(user(List.of(text("a".repeat(5_001)), text("b".repeat(5_000))))))),
                broken(
                        "RunAgentInput.messages must contain exactly one user message",
                        body -> messages(body, List.of(user("one"), user("two")))),
                broken(
                        "RunAgentInput.messages must contain exactly one user message",
                        body -> messages(body, List.of())),
                broken(
                        "RunAgentInput.messages[0].role must be user",
                        body -> messages(body, List.of(system(), user("hello")))),
                broken("binary content requires image mimeType", body -> file(body, Map.of("mimeType", "text/html"))),
                broken("binary content requires url", body -> file(body, Map.of("mimeType", "image/png"))),
                broken(
                        "binary content data is not allowed",
                        body -> file(
                                body, Map.of("mimeType", "image/png", "url", "https://a.example/b", "data", "QQ=="))),
                broken(
                        "binary content url must be a valid signed URL",
                        body -> file(body, Map.of("mimeType", "image/png", "url", "https://a.example/b"))));
    }

    @ParameterizedTest
    @MethodSource("brokenRules")
    void everyRuleAnswersItsSentence(String sentence, UnaryOperator<Map<String, Object>> breaking) {
        Api.Reply refused = caller.start(breaking.apply(AgentCaller.input(thread, "run-001", "hello")));

        expectRefusal(refused, 400, sentence);
        assertThat(caller.api().get("/api/v1/chat/threads/" + thread).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"binary\"}",
                "{\"type\":\"binary\",\"mimeType\":null,\"url\":\"https://a.example/b\"}"
            })
    void fileWithoutATypeBreaksTheRuleOfItsType(String file) {
        Api.Reply refused = caller.startBy("""
                {"threadId":"%s","runId":"r","messages":[{"id":"m","role":"user","content":[
                 {"type":"text","text":"see"},%s]}]}""".formatted(thread, file));

        assertThat(refused.problem()).as(refused.toString()).contains("run-input-refused");
        assertThat(refused.text("message")).isEqualTo("binary content requires image mimeType");
        assertThat(refused.json().at("/errors/0/field").asString()).isEqualTo("messages[0].content[1].mimeType");
        assertThat(refused.json().at("/errors/0/message").asString())
                .isEqualTo("binary content requires image mimeType");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "[]", "[{\"type\":\"text\",\"text\":\"\"}]"})
    void userMessageWithoutTextOrFileIsRefused(String content) {
        String body = """
                {"threadId":"%s","runId":"r","tools":[],"context":[],"state":{},"forwardedProps":{},
                 "messages":[{"id":"m","role":"user","content":%s}]}""".formatted(thread, content);

        for (Api.Reply refused : List.of(caller.startBy(body), caller.api().post("/api/v1/agui", body))) {
            assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
            assertThat(refused.json().at("/errors/0/field").asString()).isEqualTo("messages[0].content");
        }
        assertThat(caller.api().get("/api/v1/chat/threads/" + thread).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"threadId\": ", "[]", "{} {}", "{\"a\":1,\"a\":2}"})
    void brokenJsonNamesTheBody(String body) {
        Api.Reply refused = caller.startBy(body);

        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.json().at("/errors/0/field").asString()).isEqualTo("body");
        assertThat(refused.json().at("/errors/0/message").asString()).isNotEmpty();
    }

    @Test
    void firstBrokenRuleAnswers() {
        Map<String, Object> body = AgentCaller.input("thread-123", "r".repeat(129), "hello");
        messages(body, many(201));

        expectRefusal(caller.start(body), 400, "threadId must be a valid UUID");
        expectRefusal(caller.start(with(body, "threadId", thread)), 400, "runId exceeds length limit");
        expectRefusal(caller.start(with(body, "runId", "r".repeat(128))), 400, "RunAgentInput.messages exceeds limit");
    }

    @Test
    void inputAtItsLimitsIsTaken() {
        Map<String, Object> body = AgentCaller.input(thread, "r".repeat(128), "");
        List<Object> messages = new ArrayList<>(List.of(user("👋".repeat(10_000))));
        IntStream.range(0, 199).forEach(i -> messages.add(system()));

        Api.Reply taken = caller.start(messages(body, messages));

        assertThat(taken.status()).as(taken.toString()).isEqualTo(202);
    }

    @Test
    void bodyIsLimitedToTheByte() {
        byte[] largest = padded(LIMIT_BYTES);
        assertThat(largest).hasSize(LIMIT_BYTES);

        Api.Reply taken = caller.startBy(new String(largest, StandardCharsets.UTF_8));
        Api.Reply refused = caller.startBy(new String(padded(LIMIT_BYTES + 1), StandardCharsets.UTF_8));

        assertThat(taken.status()).as(taken.toString()).isEqualTo(202);
        expectRefusal(refused, 413, "RunAgentInput payload exceeds size limit");
        assertThat(refused.json().get("limit_bytes").asLong()).isEqualTo(LIMIT_BYTES);
        assertThat(refused.problem()).contains("payload-too-large");
    }

    /** A body of the given size, filled by an unknown member. */
    private byte[] padded(int size) {
        Map<String, Object> body = AgentCaller.input(thread, "run-001", "hello");
        int bare = Json.MAPPER.writeValueAsBytes(with(body, "padding", "")).length;
        return Json.MAPPER.writeValueAsBytes(with(body, "padding", "x".repeat(size - bare)));
    }

    @Test
    void wrongShapeIsNamedByItsFields() {
        Map<String, Object> body = AgentCaller.input(thread, "run-001", "hello");
        body.put("tools", List.of(Map.of("description", "does")));
        body.put("messages", List.of(Map.of("id", "m", "role", "pirate", "content", "arr")));

        Api.Reply refused = caller.start(body);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.problem()).contains("invalid-fields");
        assertThat(refused.json()
                        .get("errors")
                        .valueStream()
                        .map(error -> error.get("field").asString()))
                .contains("messages[0].role", "tools[0].name");
        assertThat(caller.startBy("{\"threadId\": ").problem()).contains("invalid-json");
    }

    @Test
    void newThreadHasItsOwnerAndItsAgent() {
        caller.start(thread, "run-001", "hello");

        JsonNode made = caller.api().get("/api/v1/chat/threads/" + thread).json();

        assertThat(made.get("participants")
                        .valueStream()
                        .map(each -> each.get("sender_id").asString()))
                .containsExactlyInAnyOrder(caller.api().get("/api/v1/auth/me").text("sender_id"), Agents.DEMO.value());
        assertThat(made.get("participants")
                        .valueStream()
                        .filter(each -> each.get("participant_kind").asString().equals("user"))
                        .flatMap(each -> each.get("capabilities").valueStream())
                        .map(JsonNode::asString))
                .contains("can_manage_participants", "can_run");
    }

    @Test
    void foreignAndDeletedThreadsAreNotFound() {
        AgentCaller stranger = AgentCaller.somebody(server);
        caller.start(thread, "run-001", "hello");
        caller.awaitEnd(thread, "run-001");

        assertThat(stranger.start(thread, "run-001", "hello").problem()).contains("thread-not-found");
        assertThat(stranger.start(thread, "run-002", "hello").problem()).contains("thread-not-found");
        assertThat(caller.api().delete("/api/v1/chat/threads/" + thread).status())
                .isEqualTo(200);
        assertThat(caller.start(thread, "run-001", "hello").problem()).contains("thread-not-found");
        assertThat(caller.start(thread, "run-003", "hello").problem()).contains("thread-not-found");
    }

    private static void expectRefusal(Api.Reply reply, int status, String sentence) {
        assertThat(reply.status()).as(reply.toString()).isEqualTo(status);
        assertThat(reply.text("message")).isEqualTo(sentence);
        assertThat(reply.text("detail")).isEqualTo(sentence);
        assertThat(reply.json().has("errors")).isFalse();
    }

    private static Arguments broken(String sentence, UnaryOperator<Map<String, Object>> breaking) {
        return Arguments.of(sentence, breaking);
    }

    private static Map<String, Object> with(Map<String, Object> body, String member, Object value) {
        body.put(member, value);
        return body;
    }

    private static Map<String, Object> without(Map<String, Object> body, String member) {
        body.remove(member);
        return body;
    }

    private static Map<String, Object> messages(Map<String, Object> body, List<?> messages) {
        return with(body, "messages", messages);
    }

    private static Map<String, Object> file(Map<String, Object> body, Map<String, Object> part) {
        Map<String, Object> binary = new LinkedHashMap<>(part);
        binary.put("type", "binary");
        return messages(body, List.of(user(Arrays.asList(text("look"), binary))));
    }

    private static List<Object> many(int count) {
        return IntStream.range(0, count).<Object>mapToObj(i -> user("hello")).toList();
    }

    private static Map<String, Object> user(Object content) {
        return Map.of("id", "msg-001", "role", "user", "content", content);
    }

    private static Map<String, Object> system() {
        return Map.of("id", "sys", "role", "system", "content", "be kind");
    }

    private static Map<String, Object> text(String text) {
        return Map.of("type", "text", "text", text);
    }
}
