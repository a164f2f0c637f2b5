package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.agents.Agents;
import dev.parley.protocol.Json;
import dev.parley.runs.input.SeedBodies;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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

/** What a run may be given, and what a repeated request comes to. */
class RunInputTest {
    private static final int LIMIT_BYTES = 262_144;
    private static final String SEED_THREAD = "550e8400-e29b-41d4-a716-446655440000";
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @AutoClose
    private static final RunningServer server = RunningServer.start();

    private final AgentCaller caller = AgentCaller.somebody(server);
    private final String thread = UUID.randomUUID().toString();

    @Test
    void theExamplesOfTheProtocolAnswerAsTheyArePrinted() {
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
    void anExampleWithAUuidGetsAsFarAsItsUrl() {
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
    void theFirstRuleThatIsBrokenAnswers() {
        Map<String, Object> body = AgentCaller.input("thread-123", "r".repeat(129), "hello");
        messages(body, many(201));

        expectRefusal(caller.start(body), 400, "threadId must be a valid UUID");
        expectRefusal(caller.start(with(body, "threadId", thread)), 400, "runId exceeds length limit");
        expectRefusal(caller.start(with(body, "runId", "r".repeat(128))), 400, "RunAgentInput.messages exceeds limit");
    }

    @Test
    void whatIsJustAllowedIsTaken() {
        Map<String, Object> body = AgentCaller.input(thread, "r".repeat(128), "");
        List<Object> messages = new ArrayList<>(List.of(user("👋".repeat(10_000))));
        IntStream.range(0, 199).forEach(i -> messages.add(system()));

        Api.Reply taken = caller.start(messages(body, messages));

        assertThat(taken.status()).as(taken.toString()).isEqualTo(202);
    }

    @Test
    void theLastByteCounts() {
        byte[] largest = padded(LIMIT_BYTES);
        assertThat(largest).hasSize(LIMIT_BYTES);

        Api.Reply taken = caller.startBy(new String(largest, StandardCharsets.UTF_8));
        Api.Reply refused = caller.startBy(new String(padded(LIMIT_BYTES + 1), StandardCharsets.UTF_8));

        assertThat(taken.status()).as(taken.toString()).isEqualTo(202);
        expectRefusal(refused, 413, "RunAgentInput payload exceeds size limit");
        assertThat(refused.json().get("limit_bytes").asLong()).isEqualTo(LIMIT_BYTES);
        assertThat(refused.problem()).contains("payload-too-large");
    }

    /** A body of so many bytes; what fills it is a member that nobody knows. */
    private byte[] padded(int size) {
        Map<String, Object> body = AgentCaller.input(thread, "run-001", "hello");
        int bare = Json.MAPPER.writeValueAsBytes(with(body, "padding", "")).length;
        return Json.MAPPER.writeValueAsBytes(with(body, "padding", "x".repeat(size - bare)));
    }

    @Test
    void aWrongShapeNamesItsFields() {
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
    void aThreadIsMadeWithItsOwnerAndItsAgent() {
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
    void foreignAndDeletedThreadsAreNotThere() {
        AgentCaller stranger = AgentCaller.somebody(server);
        caller.start(thread, "run-001", "hello");
        awaitEnd("run-001");

        assertThat(stranger.start(thread, "run-001", "hello").problem()).contains("thread-not-found");
        assertThat(stranger.start(thread, "run-002", "hello").problem()).contains("thread-not-found");
        assertThat(caller.api().delete("/api/v1/chat/threads/" + thread).status())
                .isEqualTo(200);
        assertThat(caller.start(thread, "run-001", "hello").problem()).contains("thread-not-found");
        assertThat(caller.start(thread, "run-003", "hello").problem()).contains("thread-not-found");
    }

    @Test
    void theSameRequestAHundredTimesIsOneRunAndOneMessage() throws Exception {
        Set<String> answers = new HashSet<>();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Api.Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                replies.add(clients.submit(() -> caller.start(thread, "run-001", "hello")));
            }
            for (Future<Api.Reply> reply : replies) {
                assertThat(reply.get().status()).as(reply.get().toString()).isEqualTo(202);
                answers.add(reply.get().json().toString());
            }
        }

        assertThat(answers).hasSize(1);
        assertThat(caller.runs(thread)).hasSize(1);
        awaitEnd("run-001");
        assertThat(contents()).containsExactly("hello", "You said: hello");
        assertThat(caller.start(thread, "run-001", "hello").json().toString()).isIn(answers);
    }

    @Test
    void orderAndUnknownMembersMakeNoOtherRequest() {
        String first = caller.start(thread, "run-001", "hello").text("taskId");
        Map<String, Object> turned = new LinkedHashMap<>();
        turned.put("later", Map.of("versions", true));
        turned.put("messages", List.of(Map.of("content", "hello", "role", "user", "id", "msg-run-001", "extra", 1)));
        turned.put("tools", null);
        turned.put("runId", "run-001");
        turned.put("threadId", thread);

        Api.Reply again = caller.start(turned);

        assertThat(again.status()).as(again.toString()).isEqualTo(202);
        assertThat(again.text("taskId")).isEqualTo(first);
    }

    @Test
    void anotherBodyUnderTheSameNameIsRefused() {
        caller.start(thread, "run-001", "hello");
        awaitEnd("run-001");

        Api.Reply refused = caller.start(thread, "run-001", "good bye");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.problem()).contains("key-reused");
        assertThat(contents()).containsExactly("hello", "You said: hello");
    }

    @Test
    void theNameOfAnotherCallersRunIsRefused() {
        String agent = caller.api()
                .post("/api/v1/owner/agents", "{\"display_name\": \"Colleague\"}")
                .text("agent_id");
        String token = caller.api()
                .post(
                        "/api/v1/owner/external-agents/tokens",
                        "{\"agent_actor_id\": \"" + agent + "\", \"scopes\": [\"run\", \"speak\", \"observe\"]}")
                .text("raw_token");
        caller.start(thread, "run-001", "hello");
        caller.api()
                .post(
                        "/api/v1/chat/threads/" + thread + "/participants",
                        "{\"sender_ids\": [\"agent:" + agent + "\"]}");
        AgentCaller colleague = new AgentCaller(server, new Api(server.uri(), token));

        assertThat(colleague.start(thread, "run-001", "hello").problem()).contains("key-reused");
        assertThat(caller.runs(thread)).hasSize(1);
    }

    @Test
    void anIdThatIsTakenGivesWayAndIsKept() {
        caller.start(with(AgentCaller.input(thread, "run-001", ""), "messages", List.of(named("first"))));
        awaitEnd("run-001");
        caller.start(with(AgentCaller.input(thread, "run-002", ""), "messages", List.of(named("second"))));
        awaitEnd("run-002");

        List<JsonNode> said = caller.messages(thread).stream()
                .filter(message -> message.get("role").asString().equals("user"))
                .toList();

        assertThat(said).hasSize(2);
        assertThat(said.get(0).get("id").asString()).isEqualTo("msg-001");
        assertThat(UUID.fromString(said.get(1).get("id").asString()).version()).isEqualTo(7);
        assertThat(said)
                .allSatisfy(message ->
                        assertThat(message.get("client_message_id").asString()).isEqualTo("msg-001"));
    }

    private void awaitEnd(String run) {
        await().atMost(LIMIT)
                .until(() -> caller.run(thread, run).get("state").asString().equals("completed"));
    }

    private List<String> contents() {
        return caller.messages(thread).stream()
                .map(message -> message.get("content").asString())
                .toList();
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

    private static Map<String, Object> named(String text) {
        return Map.of("id", "msg-001", "role", "user", "content", text);
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
