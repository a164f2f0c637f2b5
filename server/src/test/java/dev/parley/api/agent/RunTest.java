package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Starting a run and watching it. */
class RunTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start();

    private final AgentCaller caller = AgentCaller.somebody(server);
    private final String thread = UUID.randomUUID().toString();

    @Test
    void theAnswerIsStreamedAndStored() {
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
}
