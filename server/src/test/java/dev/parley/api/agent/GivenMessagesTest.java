package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.models.Script;
import dev.parley.testkit.models.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Messages of other roles that come with a run reach its agent, of any kind, and no log. */
class GivenMessagesTest {
    private static final List<Map<String, Object>> GIVEN = List.of(
            Map.of(
                    "id",
                    "g1",
                    "role",
                    "assistant",
                    "content",
                    "欢迎 to the shop",
                    "toolCalls",
                    List.of(Map.of(
                            "id",
                            "c9",
                            "type",
                            "function",
                            "function",
                            Map.of("name", "look", "arguments", "{\"at\":\"cart\"}")))),
            Map.of("id", "g2", "role", "tool", "toolCallId", "c9", "content", "ثلاثة 🛒"),
            Map.of("id", "g3", "role", "system", "content", "You are on /cart"),
            Map.of("id", "g4", "role", "developer", "content", "Mention prices"),
            Map.of("id", "g5", "role", "reasoning", "content", "They hesitate"),
            Map.of("id", "g6", "role", "activity", "activityType", "PLAN", "content", Map.of("step", 2)));
    private static final String BLOCK = """
            [assistant]: 欢迎 to the shop
            [assistant calls look c9]: {"at":"cart"}
            [tool c9]: ثلاثة 🛒
            [system]: You are on /cart
            [developer]: Mention prices
            [reasoning]: They hesitate
            [activity PLAN]: {"step":2}
            end of quoted\s""";

    @AutoClose
    private static final RunningServer server = RunningServer.start(
            "--rate-limits",
            "off",
            "--operators",
            ModelFixture.OPERATOR + "," + RemoteFixture.OPERATOR,
            "--secret-provider-key",
            ModelFixture.KEY);

    private static Map<String, Object> giving(Map<String, Object> input) {
        List<Object> messages = new ArrayList<>((List<?>) input.get("messages"));
        messages.addAll(GIVEN);
        input.put("messages", messages);
        return input;
    }

    private static List<JsonNode> givenJson() {
        return GIVEN.stream().map(GivenMessagesTest::json).toList();
    }

    private static JsonNode json(Map<String, Object> message) {
        return Json.MAPPER.valueToTree(message);
    }

    private static JsonNode context(AgentCaller caller, String thread, String run) {
        return caller.api()
                .get("/api/v1/agent/threads/" + thread + "/runs/" + run + "/context")
                .json();
    }

    private static List<String> systemBlocks(JsonNode context) {
        return context.get("messages")
                .valueStream()
                .filter(message -> message.get("role").asString().equals("system"))
                .map(message -> message.get("content").asString())
                .toList();
    }

    @Test
    void model_isShownThemInOneFencedBlockAboveTheQuestion() {
        try (ModelFixture asked = ModelFixture.register(server, Wire.OPENAI, Map.of())) {
            asked.model().next(Script.answer().text("Hi."), Script.answer().text("Again."));
            asked.ask(giving(asked.input("r1", "Hello")));
            JsonNode sent = asked.requests().getLast().body().get("messages");
            assertThat(sent.size()).isEqualTo(2);
            assertThat(sent.get(0).get("content").asString())
                    .startsWith("<<<quoted ")
                    .contains(BLOCK);
            assertThat(sent.get(1).get("role").asString()).isEqualTo("user");
            assertThat(asked.caller().messages(asked.thread()))
                    .extracting(message -> message.get("content").asString())
                    .containsExactly("Hello", "Hi.");

            asked.ask("r2", "And now?");
            assertThat(asked.requests().getLast().text())
                    .as("they are of one run alone")
                    .doesNotContain("You are on /cart");
        }
    }

    @Test
    void demo_keepsThemInItsContextWithItsTools() {
        AgentCaller caller = AgentCaller.somebody(server);
        String thread = UUID.randomUUID().toString();
        Map<String, Object> input = giving(AgentCaller.input(thread, "r", "hello"));
        input.put(
                "tools",
                List.of(Map.of("name", "get_weather", "description", "获取天气", "parameters", Map.of("type", "object"))));
        assertThat(caller.start(input).status()).isEqualTo(202);
        caller.follow(thread, "r");

        JsonNode context = context(caller, thread, "r");

        assertThat(systemBlocks(context)).hasSize(2);
        assertThat(systemBlocks(context).getFirst()).isEqualTo("""
                        <!-- TOOLS_START -->
                        - get_weather: 获取天气
                          - args_schema: {"type":"object"}
                        Note: tool arguments must strictly match args_schema.
                        <!-- TOOLS_END -->""");
        assertThat(systemBlocks(context).getLast()).contains(BLOCK);
        assertThat(context.at("/tools/0/name").asString()).isEqualTo("get_weather");
        assertThat(context.at("/tools/0/parameters/type").asString()).isEqualTo("object");
        assertThat(caller.messages(thread))
                .extracting(message -> message.get("content").asString())
                .containsExactly("hello", "You said: hello");
    }

    @Test
    void runThatWaitedForItsTurn_readsThemFromItsStoredInput() {
        AgentCaller caller = AgentCaller.somebody(server);
        String thread = UUID.randomUUID().toString();
        caller.start(thread, "slow", "/slow 400");
        assertThat(caller.start(giving(AgentCaller.input(thread, "waits", "hello")))
                        .status())
                .isEqualTo(202);
        assertThat(caller.run(thread, "waits").get("state").asString()).isEqualTo("queued");
        caller.cancel(thread, "slow");
        caller.follow(thread, "waits");

        assertThat(systemBlocks(context(caller, thread, "waits")))
                .singleElement()
                .asString()
                .contains(BLOCK);
    }

    @Test
    void remoteAgent_isSentThemVerbatimBeforeTheConversation() {
        try (RemoteFixture far = RemoteFixture.register(server, Map.of())) {
            far.remote().says().says();
            far.ask("r1", "First");
            Map<String, Object> input = giving(far.input("r2", "Second"));
            input.put("tools", List.of(Map.of("name", "pick", "description", "Picks")));
            far.ask(input);

            List<JsonNode> sent = far.remote().lastRequest().messages();
            assertThat(sent.subList(0, GIVEN.size())).isEqualTo(givenJson());
            assertThat(sent.subList(GIVEN.size(), sent.size()))
                    .extracting(message -> message.get("content").asString())
                    .containsExactly("First", "Second");
            JsonNode context = server.api(RemoteFixture.OPERATOR, "Root")
                    .get("/api/v1/agent/threads/" + far.thread() + "/runs/r2/context")
                    .json();
            assertThat(context.at("/tools/0/name").asString()).isEqualTo("pick");
            assertThat(systemBlocks(context))
                    .as("its tools are no block: they are sent as such")
                    .singleElement()
                    .asString()
                    .contains(BLOCK);
        }
    }

    @Test
    void externalAgent_readsThemInItsRun() {
        AgentCaller owner = AgentCaller.somebody(server);
        String agentId = owner.api()
                .post("/api/v1/owner/agents", "{\"display_name\":\"Outside\",\"visibility\":\"shared\"}")
                .text("agent_id");
        Api agent = server.api(owner.api()
                .post(
                        "/api/v1/owner/external-agents/tokens",
                        "{\"agent_actor_id\":\"" + agentId + "\",\"scopes\":[\"observe\",\"speak\",\"run\"]}")
                .text("raw_token"));
        AgentCaller asking = AgentCaller.somebody(server);
        String thread = UUID.randomUUID().toString();
        Map<String, Object> input = giving(AgentCaller.input(thread, "r", "hello"));
        input.put("forwardedProps", Map.of("agentId", agentId, "mood", "calm"));
        assertThat(asking.start(input).status()).isEqualTo(202);
        UUID guest = UUID.randomUUID();
        asking.api()
                .post("/api/v1/chat/threads/" + thread + "/participants", "{\"sender_ids\":[\"user:" + guest + "\"]}");

        String path = "/api/v1/agent/threads/" + thread + "/runs/r";
        JsonNode given = agent.get(path).json().get("input");
        assertThat(given.get("messages").valueStream().skip(1).toList()).isEqualTo(givenJson());
        assertThat(given.at("/forwardedProps/mood").asString()).isEqualTo("calm");
        assertThat(asking.run(thread, "r").get("input")).isEqualTo(given);
        assertThat(asking.runs(thread).getFirst().get("input").isNull()).isTrue();
        JsonNode seenByGuest = server.api(guest, "Guest").get(path).json();
        assertThat(seenByGuest.get("runId").asString()).isEqualTo("r");
        assertThat(seenByGuest.get("input").isNull()).isTrue();
    }

    @Test
    void resultOfAPendingCall_isAnEntryAndNotGiven() {
        AgentCaller caller = AgentCaller.somebody(server);
        String thread = UUID.randomUUID().toString();
        Map<String, Object> call = AgentCaller.input(thread, "calls", "/tool pick {}");
        call.put("tools", List.of(Map.of("name", "pick", "description", "Picks")));
        caller.start(call);
        String callId = caller.follow(thread, "calls").stream()
                .filter(frame -> frame.type().equals("TOOL_CALL_START"))
                .map(frame -> frame.data().get("toolCallId").asString())
                .findFirst()
                .orElseThrow();
        Map<String, Object> input = AgentCaller.input(thread, "brings", "here");
        input.put(
                "messages",
                List.of(
                        Map.of("id", "u", "role", "user", "content", "here"),
                        Map.of("id", "t1", "role", "tool", "toolCallId", callId, "content", "the result"),
                        Map.of("id", "t2", "role", "tool", "toolCallId", "other", "content", "a stray one")));
        caller.start(input);
        caller.follow(thread, "brings");

        assertThat(caller.messages(thread))
                .extracting(message -> message.get("content").asString())
                .contains("the result")
                .doesNotContain("a stray one");
        assertThat(systemBlocks(context(caller, thread, "brings")))
                .singleElement()
                .asString()
                .contains("[tool other]: a stray one")
                .doesNotContain("the result");
    }
}
