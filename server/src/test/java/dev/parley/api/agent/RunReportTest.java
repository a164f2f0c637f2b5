package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.RawHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** An agent reports on its own run by the metadata of the messages it posts. */
class RunReportTest {
    private static final String RUN = "run_1773286460762";
    private static final String CARD = """
            {"worker_agent_output": {"ui_hints": {"status": "success", "title": "日程已创建",
                "body": "تم إنشاء الموعد 📅", "locale": "zh-CN"}}, "stage": "execution"}""";

    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private AgentCaller owner;
    private Agent agent;
    private String thread;

    private record Agent(String id, Api api) {}

    @BeforeEach
    void meet() {
        owner = AgentCaller.somebody(server);
        agent = newAgent();
        thread = newThread(agent);
        openRun(agent, RUN);
    }

    private Agent newAgent() {
        return newAgent("\"observe\",\"speak\",\"run\"");
    }

    private Agent newAgent(String scopes) {
        String id = owner.api()
                .post("/api/v1/owner/agents", "{\"display_name\":\"Outside\"}")
                .text("agent_id");
        String token = owner.api()
                .post(
                        "/api/v1/owner/external-agents/tokens",
                        "{\"agent_actor_id\":\"" + id + "\",\"scopes\":[" + scopes + "]}")
                .text("raw_token");
        return new Agent(id, server.api(token));
    }

    private String newThread(Agent... agents) {
        List<String> ids = new ArrayList<>();
        for (Agent each : agents) {
            ids.add("agent:" + each.id());
        }
        return owner.api()
                .post("/api/v1/chat/threads", Json.MAPPER.writeValueAsString(Map.of("participants", ids)))
                .text("thread_id");
    }

    private void openRun(Agent by, String run) {
        Api.Reply opened = by.api()
                .post("/api/v1/agent/threads/" + thread + "/runs/" + run + "/events", "{\"first\":0,\"events\":[]}");
        assertThat(opened.status()).as(opened.toString()).isEqualTo(200);
    }

    private String taskId() {
        return owner.run(thread, RUN).get("taskId").asString();
    }

    private Api.Reply post(Agent by, @Nullable String run, String metadata) {
        return post(by.api(), run, metadata, Map.of());
    }

    private Api.Reply post(Api by, @Nullable String run, String metadata, Map<String, Object> more) {
        Map<String, Object> body = new LinkedHashMap<>(more);
        body.put("content", "进展 😀");
        body.put("metadata", Json.MAPPER.readTree(metadata));
        if (run != null) {
            body.put("run_id", run);
        }
        return by.post("/api/v1/chat/threads/" + thread + "/agent-messages", Json.MAPPER.writeValueAsString(body));
    }

    @Test
    void reportedMessageId_doesNotRepeatTheUsageOfTheRunsMessage() {
        Api.Reply ended = agent.api()
                .post("/api/v1/agent/threads/" + thread + "/runs/" + RUN + "/events", """
                {"epoch": 1, "first": 0, "events": [
                  {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m1", "role": "assistant", "delta": "Done"},
                  {"type": "RUN_FINISHED", "threadId": "%s", "runId": "%s", "usage": [{"inputTokens": 7}]}]}""".formatted(thread, RUN));
        assertThat(ended.status()).as(ended.toString()).isEqualTo(200);
        stored(post(agent, RUN, "{\"message_id\":\"m1\"}"));
        assertThat(owner.messages(thread))
                .extracting(message -> message.at("/usage/input_tokens").asInt(0))
                .containsExactly(7, 0);
    }

    @Test
    void usageOfAnyShape_refusesNoEnd() {
        Api.Reply ended = agent.api()
                .post("/api/v1/agent/threads/" + thread + "/runs/" + RUN + "/events", """
                {"epoch": 1, "first": 0, "events": [
                  {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m1", "role": "assistant", "delta": "Done"},
                  {"type": "RUN_FINISHED", "threadId": "%s", "runId": "%s",
                   "usage": [null, "x", {"inputTokens": "many", "outputTokens": 3000000000}]}]}""".formatted(thread, RUN));
        assertThat(ended.status()).as(ended.toString()).isEqualTo(200);
        JsonNode usage = owner.messages(thread).getLast().path("usage");
        assertThat(usage.path("input_tokens").isNull()).isTrue();
        assertThat(usage.path("output_tokens").asLong()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void tokenOfAnAgent_speaksForNoOther() {
        Map<String, Object> other = Map.of("agent_id", newAgent().id());
        assertRefused(post(agent.api(), RUN, "{}", other), "agent_id", "names another agent");
        assertThat(post(agent.api(), RUN, "{}", Map.of("agent_id", "agent:" + agent.id()))
                        .status())
                .isEqualTo(201);
    }

    @Test
    void reportedId_isCountedInCodePoints() {
        stored(post(agent, RUN, "{\"message_id\":\"" + "😀".repeat(128) + "\"}"));
        assertThat(post(agent, RUN, "{\"message_id\":\"" + "😀".repeat(129) + "\"}")
                        .status())
                .isEqualTo(400);
    }

    private static JsonNode stored(Api.Reply posted) {
        assertThat(posted.status()).as(posted.toString()).isEqualTo(201);
        return posted.json().get("metadata");
    }

    private static void assertRefused(Api.Reply refused, String field, String sentence) {
        assertThat(refused.status()).as(refused.toString()).isEqualTo(400);
        assertThat(refused.json().path("errors").path(0).path("field").asString())
                .isEqualTo(field);
        assertThat(refused.text("message")).contains(sentence);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"run_id\": \"run_1773286460762\"}", """
                {"run_id": "run_1773286460762", "stage": "intent", "latency_ms": 2610,
                 "message_id": "intent-run_1773286460762"}""", """
                {"run_id": "run_1773286460762", "stage": "tool_execution", "latency_ms": 1500,
                 "message_id": "tool_run_abc123", "tool_name": "calendar_create_event"}"""})
    void metadataOfTheProtocolIsTakenFromAnAgentInItsOwnRun(String metadata) {
        JsonNode given = Json.MAPPER.readTree(metadata);
        List<Api.Reply> posted =
                List.of(post(agent, RUN, metadata), post(agent, null, metadata), post(agent, taskId(), metadata));
        for (Api.Reply each : posted) {
            JsonNode stored = stored(each);
            given.properties()
                    .forEach(member -> assertThat(stored.get(member.getKey())).isEqualTo(member.getValue()));
            assertThat(stored.path("self_reported").asBoolean(false)).isEqualTo(given.size() > 1);
        }
        assertThat(owner.messages(thread)).hasSize(3);
    }

    @Test
    void aCardShowsInTheHistoryAndInTheChat() {
        JsonNode stored = stored(post(agent, RUN, CARD));
        assertThat(stored.at("/worker_agent_output/ui_hints/title").asString()).isEqualTo("日程已创建");
        JsonNode inChat = owner.messages(thread).getLast();
        assertThat(inChat.at("/metadata/worker_agent_output"))
                .isEqualTo(Json.MAPPER.readTree(CARD).get("worker_agent_output"));
        JsonNode inHistory = owner.api()
                .get("/api/v1/agent/history?threadId=" + thread)
                .json()
                .at("/messages/0/uiSchema");
        assertThat(inHistory.path("status").asString()).isEqualTo("success");
        assertThat(inHistory.path("locale").asString()).isEqualTo("zh-CN");
        assertThat(inHistory.at("/meta/requestId").asString()).isEqualTo(RUN);
        assertThat(inHistory.at("/root/appearance").asString()).isEqualTo("card");
        assertThat(inHistory.at("/root/children").valueStream().map(JsonNode::toString))
                .containsExactly(
                        "{\"type\":\"text\",\"content\":\"日程已创建\",\"role\":\"title\"}",
                        "{\"type\":\"badge\",\"label\":\"SUCCESS\",\"status\":\"success\"}",
                        "{\"type\":\"text\",\"content\":\"تم إنشاء الموعد 📅\",\"role\":\"body\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run_id", "stage", "latency_ms", "message_id", "tool_name", "worker_agent_output"})
    void otherCallersCannotReport(String member) {
        Map<String, Object> members = Map.of(
                "run_id",
                RUN,
                "stage",
                "intent",
                "latency_ms",
                5,
                "message_id",
                "m",
                "tool_name",
                "t",
                "worker_agent_output",
                Map.of());
        String metadata = Json.MAPPER.writeValueAsString(Map.of(member, members.get(member)));
        String sentence = "only an agent's own token may give it, in agent-messages with the run_id of its own run";
        Api.Reply byUser = owner.api()
                .post(
                        "/api/v1/chat/threads/" + thread + "/messages",
                        "{\"content\": \"hi\", \"metadata\": " + metadata + "}");
        assertRefused(byUser, "metadata." + member, sentence);
        assertRefused(post(owner.api(), RUN, metadata, Map.of("agent_id", agent.id())), "metadata." + member, sentence);
        Agent other = newAgent();
        assertThat(owner.api()
                        .post(
                                "/api/v1/chat/threads/" + thread + "/participants",
                                "{\"sender_ids\": [\"agent:" + other.id() + "\"]}")
                        .status())
                .isEqualTo(200);
        assertRefused(post(other, RUN, metadata), "run_id", "names no run of this agent in this thread");
        assertRefused(post(agent, "unknown", metadata), "run_id", "leave out metadata." + member);
        if (!member.equals("run_id")) {
            assertRefused(post(agent, null, metadata), "run_id", "is required with metadata." + member);
        }
        assertThat(owner.messages(thread)).isEmpty();
    }

    @Test
    void anotherThreadsRunIsNotOwnHere() {
        String first = thread;
        thread = newThread(agent);
        assertRefused(post(agent, RUN, "{\"stage\": \"intent\"}"), "run_id", "names no run of this agent");
        thread = first;
        Agent outside = newAgent();
        Api.Reply unseen = post(outside, RUN, "{\"stage\": \"intent\"}");
        assertThat(unseen.problem()).contains("thread-not-found");
        Agent mute = newAgent("\"observe\",\"run\"");
        assertThat(post(mute, RUN, "{\"stage\": \"intent\"}").status())
                .as("rights are checked before content")
                .isEqualTo(403);
    }

    @Test
    void metadataThatNamesAnotherRunIsRefused() {
        openRun(agent, "second");
        assertRefused(
                post(agent, RUN, "{\"run_id\": \"second\", \"stage\": \"intent\"}"),
                "metadata.run_id",
                "must name the same run as run_id");
        String bothIds = "{\"run_id\": \"" + taskId() + "\", \"stage\": \"intent\"}";
        assertThat(stored(post(agent, RUN, bothIds)).get("run_id").asString()).isEqualTo(RUN);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "latency_ms | -1",
                "latency_ms | 1.5",
                "latency_ms | \"5\"",
                "latency_ms | 9223372036854775808",
                "stage | \"\"",
                "stage | 5",
                "stage | {\"a\": 1}",
                "stage | \"a\\u0000b\"",
                "run_id | \"a\\u0000b\"",
                "message_id | true",
                "tool_name | []",
                "worker_agent_output | \"card\"",
                "worker_agent_output | []"
            })
    void aMemberOfAWrongTypeIsRefused(String member, String value) {
        assertRefused(post(agent, RUN, "{\"" + member + "\": " + value + "}"), "metadata." + member, "must be");
    }

    @Test
    void hintsOfAWrongTypeAreRefused() {
        assertRefused(
                post(agent, RUN, "{\"worker_agent_output\": {\"ui_hints\": \"title\"}}"),
                "metadata.worker_agent_output.ui_hints",
                "must be an object");
    }

    @Test
    void limitsHoldOnBothSides() {
        for (String member : List.of("stage", "message_id", "tool_name")) {
            stored(post(agent, RUN, "{\"" + member + "\": \"" + "中".repeat(128) + "\"}"));
            assertRefused(
                    post(agent, RUN, "{\"" + member + "\": \"" + "中".repeat(129) + "\"}"),
                    "metadata." + member,
                    "1 to 128 characters");
        }
        stored(post(agent, RUN, "{\"latency_ms\": 0}"));
        stored(post(agent, RUN, "{\"latency_ms\": 9223372036854775807}"));
        // {"worker_agent_output":{"v":"…"}} takes 32 bytes around the value.
        String around = "{\"worker_agent_output\":{\"v\":\"%s\"}}";
        stored(post(agent, RUN, around.formatted("x".repeat(16 * 1024 - 32))));
        assertRefused(post(agent, RUN, around.formatted("x".repeat(16 * 1024 - 31))), "metadata", "16384 bytes");
    }

    @Test
    void otherKeysOfTheServerStayTheServers() {
        for (String member : List.of("self_reported", "withdrawn", "source", "tool_agent_output", "sender_type")) {
            assertRefused(
                    post(agent, RUN, "{\"stage\": \"intent\", \"" + member + "\": true}"),
                    "metadata." + member,
                    "is set by the server and cannot be sent");
        }
        JsonNode stored = stored(post(agent, RUN, "{\"stage\": null, \"mine\": {\"n\": 1.50}}"));
        assertThat(stored.toString()).isEqualTo("{\"mine\":{\"n\":1.50},\"run_id\":\"" + RUN + "\"}");
    }

    @Test
    void aRetryGetsTheFirstAnswerAfterTheRunIsOver() {
        Map<String, Object> key = Map.of("client_message_id", "once");
        Api.Reply first = post(agent.api(), RUN, CARD, key);
        assertThat(first.status()).isEqualTo(201);
        owner.cancel(thread, RUN);
        Api.Reply again = post(agent.api(), RUN, CARD, key);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().get("message_id")).isEqualTo(first.json().get("message_id"));
        assertThat(post(agent.api(), RUN, "{\"stage\": \"intent\"}", key).problem())
                .contains("key-reused");
    }

    /** Reported usage does not make a message a part of the run's own sequence of events, nor change its role. */
    @Test
    void aReportIsNotTakenForTheRunsOwnOutput() {
        stored(post(agent, RUN, """
                {"stage": "intent", "latency_ms": 7, "message_id": "m", "role": "system", "name": "Root",
                 "reasoning": [{"id": "r", "content": "forged"}]}"""));
        List<AgentCaller.Frame> frames = owner.frames(
                "/api/v1/agent/runs/" + thread + "/events?after=0",
                frame -> frame.data().path("name").asString("").equals("message_committed"));
        JsonNode committed = frames.getLast().data();
        assertThat(committed.at("/value/metadata/latency_ms").asInt()).isEqualTo(7);
        assertThat(committed.at("/metadata/runId").isMissingNode()).isTrue();
        String input = Json.MAPPER.writeValueAsString(Map.of(
                "threadId",
                thread,
                "runId",
                UUID.randomUUID().toString(),
                "messages",
                List.of(),
                "tools",
                List.of(),
                "context",
                List.of(),
                "state",
                Map.of(),
                "forwardedProps",
                Map.of()));
        String stream = connectUntilTheRunIsCancelled(input);
        assertThat(stream).contains("进展 😀").contains("\"role\":\"assistant\"");
        assertThat(stream).doesNotContain("\"role\":\"system\"", "forged", "\"name\":\"Root\"");
    }

    /** The run stays active until its snapshot was sent: a viewer's stream ends with the run. */
    private String connectUntilTheRunIsCancelled(String input) {
        try (RawHttp stream = owner.api().openPost("/api/v1/agui/agent/default/connect", input)) {
            assertThat(stream.readHead().status()).isEqualTo(200);
            StringBuilder read = new StringBuilder();
            boolean cancelled = false;
            boolean ended = false;
            while (!ended) {
                String line = stream.readLine();
                read.append(line).append('\n');
                if (!cancelled && line.contains("MESSAGES_SNAPSHOT")) {
                    assertThat(owner.cancel(thread, RUN).text("status")).isEqualTo("accepted");
                    cancelled = true;
                }
                ended = line.contains("RUN_FINISHED") || line.contains("RUN_ERROR");
            }
            return read.toString();
        } catch (IOException lost) {
            throw new UncheckedIOException(lost);
        }
    }
}
