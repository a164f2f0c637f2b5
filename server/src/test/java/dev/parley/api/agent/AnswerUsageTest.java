package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testing.ScriptedAgent;
import dev.parley.testing.ScriptedTools;
import dev.parley.testkit.models.Script;
import dev.parley.testkit.models.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** When a run has ended, its messages show their usage on every face, whatever kind of agent made them. */
class AnswerUsageTest {
    private static RunningServer server;
    private static ScriptedTools tools;

    @TempDir
    static Path folder;

    @BeforeAll
    static void start() throws IOException {
        tools = new ScriptedTools();
        tools.offer("look", arguments -> "晴");
        Path file = Files.writeString(folder.resolve("agents.yaml"), """
                prices:
                  talker-1: {input: 3, output: 15, cached_input: 0.30, currency: ZAR}
                  gpt-4o: {input: 1, output: 2, currency: USD}
                tool_servers:
                  here: {url: %s, approval: never}
                """.formatted(tools.url()));
        server = ModelFixture.server("--agents-file", file.toString());
    }

    @AfterAll
    static void stop() {
        server.close();
        tools.close();
    }

    /** Role, and input and output tokens with cost and currency, of each message. */
    private static List<String> inChat(AgentCaller caller, String thread) {
        return caller.messages(thread).stream()
                .map(message -> told(message, "input_tokens", "output_tokens"))
                .toList();
    }

    private static String told(JsonNode message, String input, String output) {
        JsonNode usage = message.path("usage");
        assertThat(message.has("usage") || message.path("role").asString().equals("user"))
                .isTrue();
        return message.path("role").asString()
                + (usage.isObject()
                        ? " " + usage.path(input) + "/" + usage.path(output) + " "
                                + usage.path("cost")
                                        .decimalValue()
                                        .stripTrailingZeros()
                                        .toPlainString() + " "
                                + usage.path("currency").asString()
                        : "");
    }

    private static List<JsonNode> rows(Api api, String thread) {
        return api.get("/api/v1/sessions/" + thread + "/chat-events")
                .json()
                .path("chat_events")
                .valueStream()
                .toList();
    }

    @Test
    void eachMessageOfAModelHasTheUsageOfTheRequestThatMadeIt() {
        try (ModelFixture asked = ModelFixture.register(server, Wire.OPENAI, Map.of("tool_servers", List.of("here")))) {
            asked.model()
                    .next(
                            Script.answer()
                                    .call("call_1", "here__look", "{\"what\":\"天\"}")
                                    .usage(1_000, 20),
                            Script.answer().text("晴天 ☀️").usage(2_000, 30, 400));
            asked.ask("r", "天气？");
            // The usage of the last request is written beside the run's end.
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> server.select("select count(*) from model_usage where thread_id = '" + asked.thread()
                                    + "' and message_id is not null")
                            .equals(List.of("2")));
            List<String> expected =
                    List.of("user", "assistant 1000/20 0.0033 ZAR", "tool", "assistant 2000/30 0.00537 ZAR");

            assertThat(inChat(asked.caller(), asked.thread())).isEqualTo(expected);

            JsonNode day = asked.caller()
                    .api()
                    .get("/api/v1/agent/history?threadId=" + asked.thread())
                    .json();
            assertThat(day.path("messages").valueStream().map(message -> told(message, "inputTokens", "outputTokens")))
                    .isEqualTo(expected);

            JsonNode row = rows(asked.caller().api(), asked.thread()).getLast();
            assertThat(row.path("input_tokens").asInt()).as(row.toString()).isEqualTo(2_000);
            assertThat(row.path("output_tokens").asInt()).isEqualTo(30);
            assertThat(row.path("cost").decimalValue()).isEqualByComparingTo("0.00537");
            assertThat(row.path("cost_currency").asString()).isEqualTo("ZAR");
            assertThat(row.path("usage").path("cache_read_tokens").asInt()).isEqualTo(400);
            assertThat(row.at("/message_data/metrics"))
                    .isEqualTo(row.path("usage"))
                    .isEqualTo(Json.MAPPER.readTree(
                            "{\"input_tokens\":2000,\"output_tokens\":30,\"total_tokens\":2030,\"cache_read_tokens\":400,"
                                    + "\"reasoning_tokens\":0}"));

            JsonNode snapshot = asked.caller()
                    .api()
                    .post(
                            "/api/v1/agui/agent/default/connect",
                            Json.MAPPER.writeValueAsString(AgentCaller.input(asked.thread(), "again", "x")))
                    .answer()
                    .text()
                    .lines()
                    .filter(line -> line.startsWith("data:") && line.contains("MESSAGES_SNAPSHOT"))
                    .map(line -> Json.MAPPER.readTree(line.substring("data:".length())))
                    .findFirst()
                    .orElseThrow();
            assertThat(snapshot.path("messages").valueStream().map(each -> each.at("/metadata/usage/inputTokens")))
                    .extracting(JsonNode::toString)
                    .contains("1000", "2000");
        }
    }

    @Test
    void messageThatIsReadAndSentBackIsKnownWithAndWithoutItsMetrics() {
        try (ModelFixture asked = ModelFixture.register(server, Wire.OPENAI, Map.of())) {
            asked.model().next(Script.answer().text("Hi.").usage(10, 2));
            asked.ask("r", "Hi");
            Api api = asked.caller().api();
            JsonNode message = rows(api, asked.thread()).getLast().path("message_data");
            ObjectNode without = (ObjectNode) message.deepCopy();
            without.remove("metrics");
            for (JsonNode sent : List.of(message, without)) {
                Api.Reply reply = api.post(
                        "/api/v1/sessions/" + asked.thread() + "/chat-events", Json.MAPPER.writeValueAsString(sent));
                assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
            }
            assertThat(asked.caller().messages(asked.thread())).hasSize(2);
        }
    }

    @Test
    void reportOfARemoteAgentStandsOnItsLastMessage() {
        ScriptedAgent remote = new ScriptedAgent();
        String id = RemoteFixture.register(server.api(ModelFixture.OPERATOR, "Root"), remote.url(), Map.of())
                .text("agent_id");
        try (RemoteFixture far = new RemoteFixture(
                remote, AgentCaller.somebody(server), UUID.randomUUID().toString(), id)) {
            far.remote().then((request, answer) -> {
                answer.start(request);
                answer.events(
                        "{\"type\":\"TEXT_MESSAGE_CHUNK\",\"messageId\":\"m1\",\"delta\":\"One\"}",
                        "{\"type\":\"TEXT_MESSAGE_CHUNK\",\"messageId\":\"m2\",\"delta\":\"Two\"}",
                        """
                        {"type":"RUN_FINISHED","threadId":%s,"runId":%s,"usage":[
                          {"provider":"OpenAI","model":"gpt-4o","inputTokens":1000,"outputTokens":10},
                          {"provider":"OpenAI","model":"gpt-4o","inputTokens":500,"outputTokens":5}]}""".formatted(
                                request.body().get("threadId"), request.body().get("runId")).replace("\n", ""));
            });
            far.ask("r", "Hi");
            assertThat(inChat(far.caller(), far.thread()))
                    .containsExactly("user", "assistant", "assistant 1500/15 0.00153 USD");
            assertThat(server.select(
                            "select distinct spender from model_usage where thread_id = '" + far.thread() + "'"))
                    .containsExactly("agent:" + far.agent());
        }
    }

    @Test
    void reportOfAnExternalAgentStandsOnItsLastMessage() {
        AgentCaller owner = AgentCaller.somebody(server);
        String agent = owner.api()
                .post("/api/v1/owner/agents", "{\"display_name\":\"Outside\"}")
                .text("agent_id");
        Api driver = server.api(owner.api()
                .post(
                        "/api/v1/owner/external-agents/tokens",
                        "{\"agent_actor_id\":\"%s\",\"scopes\":[\"observe\",\"speak\",\"run\"]}".formatted(agent))
                .text("raw_token"));
        String thread = owner.api()
                .post("/api/v1/chat/threads", "{\"participants\":[\"agent:" + agent + "\"]}")
                .text("thread_id");
        Api.Reply posted =
                driver.post("/api/v1/agent/threads/" + thread + "/runs/" + UUID.randomUUID() + "/events", """
                {"first": 0, "events": [
                  {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m1", "role": "assistant", "delta": "Broken"},
                  {"type": "RUN_ERROR", "message": "No more.", "usage": [{"inputTokens": 7, "outputTokens": 1}]}]}""");
        assertThat(posted.status()).as(posted.toString()).isEqualTo(200);
        JsonNode answer = owner.messages(thread).getLast();
        assertThat(answer.at("/usage/input_tokens").asInt())
                .as(answer.toString())
                .isEqualTo(7);
        assertThat(answer.at("/usage/cost").isNull()).isTrue();

        String many = String.join(
                ",", Collections.nCopies(10_000, "{\"provider\":\"\\u0000\",\"model\":\"gpt-4o\",\"inputTokens\":1}"));
        posted = driver.post(
                "/api/v1/agent/threads/" + thread + "/runs/" + UUID.randomUUID() + "/events", """
                {"first": 0, "events": [
                  {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m2", "role": "assistant", "delta": "很多"},
                  {"type": "RUN_ERROR", "message": "No more.", "usage": [%s]}]}""".formatted(many));
        assertThat(posted.status())
                .as("usage that cannot be stored as it is ends no run wrongly")
                .isEqualTo(200);
        assertThat(owner.messages(thread).getLast().at("/usage/input_tokens").asInt())
                .isEqualTo(10_000);
        assertThat(server.select("select count(*) from model_usage where thread_id = '" + thread + "'"))
                .containsExactly("101");
    }
}
