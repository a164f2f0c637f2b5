package dev.parley.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testing.ScriptedAgent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Agents of kind agui, as clients of the server see them: what they stream, and what they are sent. */
class RemoteRunTest {
    private static final UUID OPERATOR = UUID.randomUUID();
    private static RunningServer server;

    private final String thread = UUID.randomUUID().toString();
    private ScriptedAgent remote;
    private AgentCaller caller;
    private String agent;

    @BeforeAll
    static void start() {
        server = RunningServer.start("--rate-limits", "off", "--operators", OPERATOR.toString());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void register() {
        remote = new ScriptedAgent();
        caller = AgentCaller.somebody(server);
        Api.Reply made = server.api(OPERATOR, "Root")
                .post(
                        "/api/v1/owner/agents",
                        Json.MAPPER.writeValueAsString(Map.of(
                                "kind", "agui",
                                "display_name", "Far",
                                "visibility", "shared",
                                "config", Map.of("url", remote.url()))));
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        agent = made.text("agent_id");
    }

    @AfterEach
    void close() {
        remote.close();
    }

    private Map<String, Object> input(String run, String text) {
        Map<String, Object> input = AgentCaller.input(thread, run, text);
        input.put("forwardedProps", new LinkedHashMap<>(Map.of("agentId", agent)));
        return input;
    }

    private List<AgentCaller.Frame> ask(String run, String text) {
        return ask(input(run, text));
    }

    private List<AgentCaller.Frame> ask(Map<String, Object> input) {
        Api.Reply started = caller.start(input);
        assertThat(started.status()).as(started.toString()).isEqualTo(202);
        return caller.follow(thread, String.valueOf(input.get("runId")));
    }

    private static List<String> types(List<AgentCaller.Frame> frames) {
        return frames.stream().map(AgentCaller.Frame::type).toList();
    }

    @Test
    void whatItStreamsIsShownAndStored() {
        remote.says(
                "{\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m1\",\"role\":\"assistant\"}",
                "{\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m1\",\"delta\":\"Hello \"}",
                "{\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m1\",\"delta\":\"you 👋\"}",
                "{\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"m1\"}");
        List<AgentCaller.Frame> frames = ask("r", "Hi");
        assertThat(types(frames))
                .containsExactly(
                        "RUN_STARTED",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT",
                        "TEXT_MESSAGE_CONTENT",
                        "TEXT_MESSAGE_END",
                        "RUN_FINISHED");
        assertThat(AgentCaller.texts(frames)).containsEntry("m1", "Hello you 👋");
        List<JsonNode> messages = caller.messages(thread);
        assertThat(messages.getLast().get("content").asString()).isEqualTo("Hello you 👋");
        assertThat(messages.getLast().get("sender_id").asString()).isEqualTo("agent:" + agent);

        ScriptedAgent.Request request = remote.lastRequest();
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.header("Accept")).isEqualTo("text/event-stream");
        assertThat(request.header("Content-type")).isEqualTo("application/json");
        assertThat(request.body().get("threadId").asString()).isEqualTo(thread);
        assertThat(request.body().get("runId").asString()).isEqualTo("r");
        assertThat(request.body().get("protocolVersion").asString()).isEqualTo("1.0");
        assertThat(request.body().get("state")).isEqualTo(Json.MAPPER.createObjectNode());
        assertThat(request.body().get("forwardedProps")).isEqualTo(Json.MAPPER.createObjectNode());
        assertThat(request.messages())
                .singleElement()
                .satisfies(
                        message -> assertThat(message.get("content").asString()).isEqualTo("Hi"));
    }
}
