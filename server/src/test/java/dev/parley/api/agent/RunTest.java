package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Starting a run, once or repeatedly, and watching it. */
class RunTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start();

    private final AgentCaller caller = AgentCaller.somebody(server);
    private final String thread = UUID.randomUUID().toString();

    @Test
    void answerIsStreamedAndStored() {
        Api.Reply accepted = caller.start(thread, "run-001", "帮我查一下 👩‍👩‍👧 e\u0301");
        assertThat(accepted.status()).as(accepted.toString()).isEqualTo(202);
        assertThat(accepted.json().propertyNames()).containsExactlyInAnyOrder("taskId", "threadId", "runId", "created");
        List<AgentCaller.Frame> frames = caller.follow(thread, "run-001");
        assertThat(frames.getFirst().type()).isEqualTo("RUN_STARTED");
        assertThat(frames.getLast().type()).isEqualTo("RUN_FINISHED");
        assertThat(frames).allSatisfy(frame -> {
            assertThat(frame.event()).isEqualTo(frame.type());
            assertThat(frame.data().at("/metadata/runId").asString()).isEqualTo("run-001");
        });
        Map<String, String> texts = AgentCaller.texts(frames);
        assertThat(texts.values()).containsExactly("You said: 帮我查一下 👩‍👩‍👧 e\u0301");
        List<JsonNode> messages = caller.messages(thread);
        assertThat(messages)
                .extracting(message -> message.get("content").asString())
                .containsExactly("帮我查一下 👩‍👩‍👧 e\u0301", "You said: 帮我查一下 👩‍👩‍👧 e\u0301");
        JsonNode metadata = messages.get(1).get("metadata");
        assertThat(metadata.get("run_id").asString()).isEqualTo("run-001");
        assertThat(metadata.get("stage").asString()).isEqualTo("execution");
        assertThat(metadata.get("latency_ms").isIntegralNumber()).isTrue();
        assertThat(metadata.get("message_id").asString())
                .isEqualTo(messages.get(1).get("id").asString())
                .isEqualTo(texts.keySet().iterator().next());
        assertThat(caller.run(thread, "run-001").get("state").asString()).isEqualTo("completed");
    }

    @Test
    void requestSentAHundredTimesMakesOneRunAndOneMessage() throws Exception {
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
        caller.awaitEnd(thread, "run-001");
        assertThat(caller.contents(thread)).containsExactly("hello", "You said: hello");
        assertThat(caller.start(thread, "run-001", "hello").json().toString()).isIn(answers);
    }

    @Test
    void requestWithReorderedOrUnknownMembersIsTheSame() {
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
    void runIdWithAnotherBodyIsRefused() {
        caller.start(thread, "run-001", "hello");
        caller.awaitEnd(thread, "run-001");

        Api.Reply refused = caller.start(thread, "run-001", "good bye");

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.problem()).contains("key-reused");
        assertThat(caller.contents(thread)).containsExactly("hello", "You said: hello");
    }

    @Test
    void runIdOfAnotherCallersRunIsRefused() {
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
    void messageWithATakenIdGetsANewOneAndKeepsItsOwn() {
        for (String run : List.of("run-001", "run-002")) {
            Map<String, Object> input = AgentCaller.input(thread, run, "");
            input.put("messages", List.of(Map.of("id", "msg-001", "role", "user", "content", "question of " + run)));
            caller.start(input);
            caller.awaitEnd(thread, run);
        }

        List<JsonNode> questions = caller.messages(thread).stream()
                .filter(message -> message.get("role").asString().equals("user"))
                .toList();

        assertThat(questions).hasSize(2);
        assertThat(questions.get(0).get("id").asString()).isEqualTo("msg-001");
        assertThat(UUID.fromString(questions.get(1).get("id").asString()).version())
                .isEqualTo(7);
        assertThat(questions)
                .allSatisfy(message ->
                        assertThat(message.get("client_message_id").asString()).isEqualTo("msg-001"));
    }
}
