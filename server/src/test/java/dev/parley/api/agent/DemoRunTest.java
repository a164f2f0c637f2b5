package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The demo agent's table, as a client of the server sees it. */
class DemoRunTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start();

    private final AgentCaller caller = AgentCaller.somebody(server);
    private final String thread = UUID.randomUUID().toString();

    private List<AgentCaller.Frame> ask(String run, String text) {
        return ask(AgentCaller.input(thread, run, text));
    }

    private List<AgentCaller.Frame> ask(Map<String, Object> input) {
        assertThat(caller.start(input).status()).isEqualTo(202);
        return caller.follow(thread, String.valueOf(input.get("runId")));
    }

    @Test
    void aToolIsCalledAndItsCardStored() {
        List<AgentCaller.Frame> frames = ask("r", "weather in 北京");
        assertThat(frames)
                .extracting(AgentCaller.Frame::type)
                .contains("TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT");
        List<JsonNode> messages = caller.messages(thread);
        assertThat(messages)
                .extracting(message -> message.get("role").asString())
                .containsExactly("user", "assistant", "tool", "assistant");
        JsonNode call = messages.get(1).at("/metadata/tool_calls/0");
        assertThat(call.at("/function/name").asString()).isEqualTo("get_weather");
        assertThat(Json.MAPPER
                        .readTree(call.at("/function/arguments").asString())
                        .get("city")
                        .asString())
                .isEqualTo("北京");
        JsonNode result = messages.get(2).get("metadata");
        assertThat(result.get("tool_name").asString()).isEqualTo("get_weather");
        assertThat(result.get("stage").asString()).isEqualTo("tool_execution");
        assertThat(result.get("tool_call_id").asString())
                .isEqualTo(call.get("id").asString());
        assertThat(result.at("/tool_agent_output/ui_hints/status").asString()).isEqualTo("success");
        assertThat(messages.get(3)
                        .at("/metadata/worker_agent_output/ui_hints/items")
                        .isArray())
                .isTrue();
        assertThat(messages.subList(1, 4)).allSatisfy(message -> {
            assertThat(message.at("/metadata/run_id").asString()).isEqualTo("r");
            assertThat(message.at("/metadata/message_id").asString())
                    .isEqualTo(message.get("id").asString());
            assertThat(message.at("/metadata/latency_ms").isIntegralNumber()).isTrue();
            assertThat(message.at("/metadata/stage").isString()).isTrue();
        });
    }

    @Test
    void aFrontendToolWaitsForItsResultAndIsQuotedBack() {
        Map<String, Object> input = AgentCaller.input(thread, "one", "/tool pick {\"colour\":\"grün\"}");
        input.put("tools", List.of(Map.of("name", "pick", "description", "Picks", "parameters", Map.of())));
        List<AgentCaller.Frame> frames = ask(input);
        JsonNode outcome = frames.getLast().data().get("outcome");
        String call = outcome.at("/pendingToolCallIds/0").asString();
        assertThat(caller.run(thread, "one").at("/outcome/pendingToolCallIds/0").asString())
                .isEqualTo(call);

        Map<String, Object> next = AgentCaller.input(thread, "two", "and now?");
        next.put(
                "messages",
                List.of(
                        Map.of("id", "u2", "role", "user", "content", "and now?"),
                        Map.of("id", "t1", "role", "tool", "toolCallId", call, "content", "chosen ✅"),
                        Map.of("id", "t2", "role", "tool", "toolCallId", "unknown", "content", "forged")));
        assertThat(AgentCaller.texts(ask(next)).values())
                .singleElement()
                .asString()
                .contains("chosen ✅");
        List<JsonNode> messages = caller.messages(thread);
        // The result comes before the question that came with it; a result without a call is not stored.
        assertThat(messages)
                .extracting(message -> message.get("content").asString())
                .containsSequence("chosen ✅", "and now?")
                .doesNotContain("forged");
        JsonNode result = messages.stream()
                .filter(message -> message.get("role").asString().equals("tool"))
                .findFirst()
                .orElseThrow();
        assertThat(result.get("sender_id").asString()).startsWith("agent:");
        assertThat(result.at("/metadata/tool_name").asString()).isEqualTo("pick");

        // The same result sent again later adds nothing.
        Map<String, Object> third = AgentCaller.input(thread, "three", "again");
        third.put(
                "messages",
                List.of(
                        Map.of("id", "u3", "role", "user", "content", "again"),
                        Map.of("id", "t1", "role", "tool", "toolCallId", call, "content", "chosen ✅")));
        assertThat(AgentCaller.texts(ask(third)).values()).containsExactly("You said: again");
    }

    @Test
    void anInterruptIsAnsweredOnce() {
        List<AgentCaller.Frame> frames = ask("ask", "/approve Delete everything?");
        JsonNode interrupt = frames.getLast().data().at("/outcome/interrupts/0");
        assertThat(interrupt.get("message").asString()).isEqualTo("Delete everything?");
        Map<String, Object> resume = AgentCaller.input(thread, "answer", "no!");
        resume.put(
                "resume",
                List.of(Map.of(
                        "interruptId", interrupt.get("id").asString(),
                        "status", "resolved",
                        "payload", Map.of("approved", false))));
        // A run that never begins has decided nothing.
        assertThat(caller.start(thread, "slow", "/slow 2000").status()).isEqualTo(202);
        assertThat(caller.start(resume).status()).isEqualTo(202);
        assertThat(caller.cancel(thread, "answer").text("status")).isEqualTo("accepted");
        caller.cancel(thread, "slow");
        assertThat(openInterrupts("ask")).containsExactly(interrupt.get("id").asString());
        resume.put("runId", "really");
        assertThat(AgentCaller.texts(ask(resume)).values()).containsExactly("Declined: Delete everything?");
        assertThat(openInterrupts("ask")).isEmpty();
        resume.put("runId", "again");
        assertThat(caller.start(resume).status()).isEqualTo(400);
        // A retry of the first one still gets its first answer.
        resume.put("runId", "really");
        assertThat(caller.start(resume).status()).isEqualTo(202);
    }

    private List<String> openInterrupts(String run) {
        JsonNode shown = caller.api()
                .get("/api/v1/agent/threads/" + thread + "/runs/" + run)
                .json();
        return shown.get("openInterrupts").valueStream().map(JsonNode::asString).toList();
    }

    @Test
    void theSharedStateIsKeptWithTheThread() {
        assertThat(state().toString()).contains("\"version\":0");
        ask("s", "/state {\"n\":1e3,\"a\":[null]}");
        assertThat(state().get("state").toString()).isEqualTo("{\"n\":1e3,\"a\":[null],\"updated\":true}");
        assertThat(state().get("version").asInt()).isEqualTo(1);
        Map<String, Object> replacing = AgentCaller.input(thread, "r", "hi");
        replacing.put("state", Map.of("mine", true));
        ask(replacing);
        assertThat(state().get("state").toString()).isEqualTo("{\"mine\":true}");
        assertThat(state().get("version").asInt()).isEqualTo(2);
        Map<String, Object> empty = AgentCaller.input(thread, "e", "hi");
        empty.put("state", Map.of());
        ask(empty);
        assertThat(state().get("version").asInt()).isEqualTo(2);
    }

    private JsonNode state() {
        if (caller.messagesReply(thread).status() == 404) {
            ask("first", "hello");
        }
        return caller.api().get("/api/v1/agent/threads/" + thread + "/state").json();
    }

    @Test
    void aTeamHasChildRuns() {
        List<AgentCaller.Frame> frames = ask("t", "/team write it");
        List<JsonNode> started = frames.stream()
                .filter(frame -> frame.type().equals("SUBAGENT_STARTED"))
                .map(AgentCaller.Frame::data)
                .toList();
        assertThat(started).hasSize(2);
        for (JsonNode each : started) {
            JsonNode child = caller.run(thread, each.get("subagentRunId").asString());
            assertThat(child.get("state").asString()).isEqualTo("completed");
            assertThat(child.get("taskId").asString())
                    .isEqualTo(each.get("subagentRunId").asString());
            assertThat(child.get("rootRunId").asString()).isEqualTo("t");
        }
        assertThat(frames.stream().filter(frame -> frame.type().startsWith("RUN_")))
                .hasSize(2);
        assertThat(caller.messages(thread))
                .filteredOn(message -> message.at("/metadata/subagent_run_id").isString())
                .extracting(message -> message.at("/metadata/agent_name").asString())
                .containsExactlyInAnyOrderElementsOf(started.stream()
                        .map(each -> each.get("name").asString())
                        .toList());
    }

    @Test
    void aFailedRunKeepsWhatItSaid() {
        List<AgentCaller.Frame> frames = ask("f", "/fail");
        assertThat(frames.getLast().type()).isEqualTo("RUN_ERROR");
        assertThat(frames.getLast().data().get("code").asString()).isEqualTo("demo_failure");
        JsonNode answer = caller.messages(thread).getLast();
        assertThat(answer.at("/metadata/partial").asBoolean()).isTrue();
        assertThat(answer.get("content").asString())
                .isEqualTo(AgentCaller.texts(frames).values().iterator().next());
        JsonNode run = caller.run(thread, "f");
        assertThat(run.get("state").asString()).isEqualTo("failed");
        assertThat(run.at("/error/code").asString()).isEqualTo("demo_failure");
    }

    @Test
    void thoughtsAreStreamedAndKeptBesideTheAnswer() {
        List<AgentCaller.Frame> frames = ask("t", "/think deeply");
        assertThat(frames).extracting(AgentCaller.Frame::type).contains("REASONING_MESSAGE_CONTENT");
        JsonNode answer = caller.messages(thread).getLast();
        assertThat(answer.at("/metadata/reasoning/0/content").asString()).isNotEmpty();
    }
}
