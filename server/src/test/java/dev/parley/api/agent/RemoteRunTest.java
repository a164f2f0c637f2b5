package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.attachments.images.SampleImages;
import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.Form;
import dev.parley.testing.RunningServer;
import dev.parley.testing.ScriptedAgent;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Agents of kind agui, as clients of the server see them: the events they stream, and the input they receive. */
class RemoteRunTest {
    @AutoClose
    private static final RunningServer server =
            RunningServer.start("--rate-limits", "off", "--operators", RemoteFixture.OPERATOR.toString());

    private final RemoteFixture far = RemoteFixture.register(server, Map.of());
    private final ScriptedAgent remote = far.remote();

    @AfterEach
    void close() {
        far.close();
    }

    private static String text(String id, String text) {
        return "{\"type\":\"TEXT_MESSAGE_CHUNK\",\"messageId\":\"" + id + "\",\"delta\":\"" + text + "\"}";
    }

    @Test
    void streamIsShownAndStored() {
        remote.says(
                "{\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m1\",\"role\":\"assistant\"}",
                "{\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m1\",\"delta\":\"Hello \"}",
                "{\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m1\",\"delta\":\"you 👋\"}",
                "{\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"m1\"}");
        List<AgentCaller.Frame> frames = far.ask("r", "Hi");
        assertThat(AgentCaller.types(frames))
                .containsExactly(
                        "RUN_STARTED",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT",
                        "TEXT_MESSAGE_CONTENT",
                        "TEXT_MESSAGE_END",
                        "RUN_FINISHED");
        assertThat(AgentCaller.texts(frames)).containsEntry("m1", "Hello you 👋");
        JsonNode stored = far.caller().messages(far.thread()).getLast();
        assertThat(stored.get("content").asString()).isEqualTo("Hello you 👋");
        assertThat(stored.get("sender_id").asString()).isEqualTo("agent:" + far.agent());
    }

    @Test
    void agentIsSentTheConversationAndTheRunsInput() {
        remote.says(text("m1", "One")).says(text("m2", "Two"));
        far.ask("r1", "First");
        Map<String, Object> input = far.input("r2", "Second");
        input.put("tools", List.of(Map.of("name", "pick", "description", "Picks", "parameters", Map.of())));
        input.put("context", List.of(Map.of("description", "page", "value", "home")));
        input.put("state", Map.of("n", 1));
        input.put(
                "forwardedProps",
                Map.of("agentId", far.agent(), "multitaskStrategy", "enqueue", "model", Map.of("size", "small")));
        far.ask(input);

        ScriptedAgent.Request first = remote.requests().getFirst();
        assertThat(first.method()).isEqualTo("POST");
        assertThat(first.header("Accept")).isEqualTo("text/event-stream");
        assertThat(first.header("Content-type")).isEqualTo("application/json");
        for (String member : List.of("state", "forwardedProps")) {
            assertThat(first.body().get(member)).isEqualTo(Json.MAPPER.createObjectNode());
        }
        JsonNode body = remote.lastRequest().body();
        assertThat(body.get("threadId").asString()).isEqualTo(far.thread());
        assertThat(body.get("runId").asString()).isEqualTo("r2");
        assertThat(body.get("protocolVersion").asString()).isEqualTo("1.0");
        assertThat(body.at("/tools/0/name").asString()).isEqualTo("pick");
        assertThat(body.at("/context/0/value").asString()).isEqualTo("home");
        assertThat(body.get("state")).isEqualTo(Json.MAPPER.readTree("{\"n\":1}"));
        assertThat(body.get("forwardedProps")).isEqualTo(Json.MAPPER.readTree("{\"model\":{\"size\":\"small\"}}"));
        assertThat(remote.lastRequest().messages())
                .extracting(message -> message.get("role").asString() + ":"
                        + message.get("content").asString())
                .containsExactly("user:First", "assistant:One", "user:Second");
        assertThat(remote.lastRequest().messages().get(1).get("id").asString()).isEqualTo("m1");
    }

    @Test
    void theStateOfTheThreadGoesAlongAndComesBackChanged() {
        remote.says(
                        "{\"type\":\"STATE_SNAPSHOT\",\"snapshot\":{\"n\":1}}",
                        "{\"type\":\"STATE_DELTA\",\"delta\":[{\"op\":\"add\",\"path\":\"/m\",\"value\":2}]}")
                .says();
        assertThat(AgentCaller.types(far.ask("r1", "Hi"))).contains("STATE_SNAPSHOT", "STATE_DELTA");
        far.ask("r2", "And now?");
        assertThat(remote.lastRequest().body().get("state")).isEqualTo(Json.MAPPER.readTree("{\"n\":1,\"m\":2}"));
    }

    @Test
    void imagesGoAlongWithTheirMessage() {
        byte[] jpeg = SampleImages.jpeg(40, 30);
        Api.Reply uploaded =
                Form.file("cat.jpg", "image/jpeg", jpeg).uploadBy(far.caller().api());
        Map<String, Object> input = far.input("r", "");
        input.put("messages", AgentCaller.lookingAt(uploaded.text("url"), "image/jpeg", "look", "Look"));
        remote.says(text("m", "A cat")).says();
        far.ask(input);
        JsonNode content = remote.lastRequest().messages().getLast().get("content");
        assertThat(content.get(0)).isEqualTo(Json.MAPPER.readTree("{\"type\":\"text\",\"text\":\"Look\"}"));
        assertThat(content.at("/1/type").asString()).isEqualTo("image");
        assertThat(content.at("/1/source/type").asString()).isEqualTo("data");
        assertThat(content.at("/1/source/mimeType").asString()).isEqualTo("image/jpeg");
        assertThat(Base64.getDecoder().decode(content.at("/1/source/value").asString()))
                .isEqualTo(jpeg);
        assertThat(content.at("/1/metadata/filename").asString()).isEqualTo("cat.jpg");

        far.ask("later", "And?");
        assertThat(remote.lastRequest().messages().getFirst().get("content").asString())
                .as("only the answered question is shown again")
                .isEqualTo("Look");
    }

    @Test
    void toolsOfTheClientMakeARoundTrip() {
        remote.says(
                        text("m", "Let me see"),
                        "{\"type\":\"TOOL_CALL_CHUNK\",\"toolCallId\":\"c1\",\"toolCallName\":\"pick\","
                                + "\"parentMessageId\":\"m\",\"delta\":\"{\\\"a\\\":\"}",
                        "{\"type\":\"TOOL_CALL_CHUNK\",\"delta\":\"1}\"}")
                .says(text("m2", "Thanks"));
        Map<String, Object> input = far.input("one", "Pick");
        input.put("tools", List.of(Map.of("name", "pick", "description", "Picks", "parameters", Map.of())));
        List<AgentCaller.Frame> frames = far.ask(input);
        assertThat(frames.getLast().data().at("/outcome/pendingToolCallIds/0").asString())
                .isEqualTo("c1");

        Map<String, Object> next = far.input("two", "There");
        next.put(
                "messages",
                List.of(
                        Map.of("id", "u2", "role", "user", "content", "There"),
                        Map.of("id", "t1", "role", "tool", "toolCallId", "c1", "content", "chosen ✅")));
        assertThat(AgentCaller.texts(far.ask(next)).values()).containsExactly("Thanks");
        List<JsonNode> sent = remote.lastRequest().messages();
        assertThat(sent)
                .extracting(message -> message.get("role").asString())
                .containsExactly("user", "assistant", "tool", "user");
        assertThat(sent.get(1).at("/toolCalls/0/function/arguments").asString()).isEqualTo("{\"a\":1}");
        assertThat(sent.get(2).get("toolCallId").asString()).isEqualTo("c1");
        assertThat(sent.get(2).get("content").asString()).isEqualTo("chosen ✅");
    }

    @Test
    void questionsAreAskedAndTheirAnswersSentBack() {
        String id = "q".repeat(200);
        remote.then((request, answer) -> {
                    answer.start(request);
                    answer.events("{\"type\":\"RUN_FINISHED\",\"threadId\":\"x\",\"runId\":\"x\",\"outcome\":"
                            + "{\"type\":\"interrupt\",\"interrupts\":[{\"id\":\"" + id
                            + "\",\"reason\":\"approval\",\"message\":\"Sure?\"}]}}");
                })
                .says(text("m", "Done"));
        JsonNode asked = far.ask("one", "Delete it").getLast().data().at("/outcome/interrupts/0");
        assertThat(asked.get("message").asString()).isEqualTo("Sure?");
        Map<String, Object> resume = far.input("two", "yes");
        resume.put(
                "resume",
                List.of(Map.of(
                        "interruptId", asked.get("id").asString(),
                        "status", "resolved",
                        "payload", Map.of("ok", true))));
        far.ask(resume);
        assertThat(remote.lastRequest().body().get("resume"))
                .isEqualTo(Json.MAPPER.readTree(
                        "[{\"interruptId\":\"" + id + "\",\"status\":\"resolved\",\"payload\":{\"ok\":true}}]"));
    }

    @Test
    void everyKindOfEventPasses() {
        remote.says(
                "{\"type\":\"STEP_STARTED\",\"stepName\":\"plan\"}",
                "{\"type\":\"REASONING_START\",\"messageId\":\"r\"}",
                "{\"type\":\"REASONING_MESSAGE_CHUNK\",\"messageId\":\"r\",\"delta\":\"hm\"}",
                "{\"type\":\"REASONING_END\",\"messageId\":\"r\"}",
                "{\"type\":\"STEP_FINISHED\",\"stepName\":\"plan\"}",
                "{\"type\":\"TOOL_CALL_START\",\"toolCallId\":\"c\",\"toolCallName\":\"f\"}",
                "{\"type\":\"TOOL_CALL_ARGS\",\"toolCallId\":\"c\",\"delta\":\"{}\"}",
                "{\"type\":\"TOOL_CALL_END\",\"toolCallId\":\"c\"}",
                "{\"type\":\"TOOL_CALL_RESULT\",\"messageId\":\"t\",\"toolCallId\":\"c\",\"content\":\"ok\"}",
                "{\"type\":\"ACTIVITY_SNAPSHOT\",\"messageId\":\"a\",\"activityType\":\"PLAN\",\"content\":{}}",
                "{\"type\":\"SUBAGENT_STARTED\",\"subagentRunId\":\"s1\",\"name\":\"Scout\"}",
                "{\"type\":\"TEXT_MESSAGE_CHUNK\",\"messageId\":\"sm\",\"delta\":\"Found\",\"subagentRunId\":\"s1\"}",
                "{\"type\":\"SUBAGENT_FINISHED\",\"subagentRunId\":\"s1\"}",
                "{\"type\":\"CUSTOM\",\"name\":\"x\",\"value\":{\"a\":1}}",
                "{\"type\":\"RAW\",\"event\":{\"b\":2}}",
                text("m", "Answer"));
        List<AgentCaller.Frame> frames = far.ask("r", "Hi");
        assertThat(AgentCaller.types(frames))
                .contains(
                        "STEP_STARTED",
                        "REASONING_MESSAGE_CONTENT",
                        "TOOL_CALL_RESULT",
                        "ACTIVITY_SNAPSHOT",
                        "SUBAGENT_STARTED",
                        "SUBAGENT_FINISHED",
                        "CUSTOM",
                        "RAW")
                .endsWith("RUN_FINISHED");
        assertThat(far.caller().messages(far.thread()))
                .extracting(message -> message.get("content").asString())
                .contains("Found", "Answer", "ok");
        assertThat(far.caller().runs(far.thread())).as("the root and its child").hasSize(2);
    }

    @Test
    void idsThatAServerUsesInEveryRunDoNotMeet() {
        remote.says(text("msg-1", "First answer")).says(text("msg-1", "Second answer"));
        far.ask("r1", "one");
        Map<String, String> texts = AgentCaller.texts(far.ask("r2", "two"));
        assertThat(texts).doesNotContainKey("msg-1").containsValue("Second answer");
        List<JsonNode> messages = far.caller().messages(far.thread());
        assertThat(messages)
                .extracting(message -> message.get("content").asString())
                .containsExactly("one", "First answer", "two", "Second answer");
        assertThat(texts).containsKey(messages.getLast().get("id").asString());
    }

    @Test
    void snapshotIsNotPassedOnButItsNewMessagesAre() {
        remote.then((request, answer) -> {
            answer.start(request);
            answer.events(text("m1", "Streamed"));
            answer.events("{\"type\":\"MESSAGES_SNAPSHOT\",\"messages\":["
                    + request.body().at("/messages/0")
                    + ",{\"id\":\"m1\",\"role\":\"assistant\",\"content\":\"Streamed\"}"
                    + ",{\"id\":\"m2\",\"role\":\"assistant\",\"content\":\"Only here\"}]}");
            answer.finish(request);
        });
        List<AgentCaller.Frame> frames = far.ask("r", "Hi");
        assertThat(AgentCaller.types(frames)).doesNotContain("MESSAGES_SNAPSHOT");
        assertThat(AgentCaller.texts(frames)).containsOnly(Map.entry("m1", "Streamed"), Map.entry("m2", "Only here"));
        assertThat(far.caller().messages(far.thread())).hasSize(3);
    }

    @Test
    void eventsAfterTheEndOfTheRunAreNotRead() {
        AtomicBoolean hungUp = new AtomicBoolean();
        remote.then((request, answer) -> {
            answer.start(request);
            answer.events(text("m", "Done"));
            answer.finish(request);
            hungUp.set(answer.awaitHangUp());
        });
        assertThat(AgentCaller.types(far.ask("r", "Hi"))).endsWith("RUN_FINISHED");
        await().untilTrue(hungUp);
    }

    @Test
    void aCancelledRunHangsUp() {
        AtomicBoolean hungUp = new AtomicBoolean();
        remote.then((request, answer) -> {
            answer.start(request);
            answer.events(text("m", "Well"));
            hungUp.set(answer.awaitHangUp());
        });
        far.start(far.input("r", "Hi"));
        far.caller()
                .frames(
                        "/api/v1/agent/runs/" + far.thread() + "/events?runId=r",
                        frame -> frame.type().equals("TEXT_MESSAGE_CONTENT"));
        assertThat(far.caller().cancel(far.thread(), "r").status()).isEqualTo(200);
        await().untilTrue(hungUp);
        assertThat(far.caller()
                        .follow(far.thread(), "r")
                        .getLast()
                        .data()
                        .at("/outcome/type")
                        .asString())
                .isEqualTo("cancelled");
    }

    @Test
    void aRunThatIsCancelledBeforeAnythingCameHangsUpToo() {
        AtomicBoolean asked = new AtomicBoolean();
        AtomicBoolean hungUp = new AtomicBoolean();
        CountDownLatch cancelled = new CountDownLatch(1);
        remote.then((request, answer) -> {
            asked.set(true);
            assertThat(cancelled.await(60, TimeUnit.SECONDS)).isTrue();
            hungUp.set(answer.awaitHangUp());
        });
        far.start(far.input("r", "Hi"));
        await().untilTrue(asked);
        assertThat(far.caller().cancel(far.thread(), "r").status()).isEqualTo(200);
        cancelled.countDown();
        await().untilTrue(hungUp);
    }

    @Test
    void aMessageInAConversationIsAnsweredByIt() {
        remote.says(text("m", "Here I am"));
        Api api = far.caller().api();
        Api.Reply thread =
                api.post("/api/v1/chat/threads", "{\"participants\":[\"agent:" + far.agent() + "\"],\"title\":\"t\"}");
        String path = "/api/v1/chat/threads/" + thread.text("thread_id") + "/messages";
        Map<String, Object> message = new HashMap<>(Map.of("content", "Anybody there?"));
        assertThat(api.post(path, Json.MAPPER.writeValueAsString(message)).status())
                .isEqualTo(201);
        await().untilAsserted(() -> assertThat(api.get(path).toString()).contains("Here I am"));
        assertThat(remote.lastRequest().messages().getLast().get("content").asString())
                .isEqualTo("Anybody there?");
    }

    @Test
    void aStoppingServerHangsUp() {
        AtomicBoolean hungUp = new AtomicBoolean();
        try (RunningServer other = RunningServer.start(
                "--rate-limits", "off", "--shutdown-grace", "1ms", "--operators", RemoteFixture.OPERATOR.toString())) {
            RemoteFixture there = RemoteFixture.register(other, Map.of());
            there.remote().then((request, answer) -> {
                answer.start(request);
                answer.events(text("m", "Well"));
                hungUp.set(answer.awaitHangUp());
            });
            there.start(there.input("r", "Hi"));
            there.caller()
                    .frames(
                            "/api/v1/agent/runs/" + there.thread() + "/events?runId=r",
                            frame -> frame.type().equals("TEXT_MESSAGE_CONTENT"));
        }
        await().untilTrue(hungUp);
    }

    @Test
    void systemMessagesOfTheClientGoFirst() {
        remote.says(text("m1", "One"));
        Map<String, Object> input = far.input("r1", "First");
        List<Object> messages = new ArrayList<>((List<?>) input.get("messages"));
        messages.add(Map.of("id", "s1", "role", "system", "content", "be kind"));
        input.put("messages", messages);
        far.ask(input);
        assertThat(remote.lastRequest().messages())
                .extracting(message -> message.get("role").asString())
                .containsExactly("system", "user");
    }
}
