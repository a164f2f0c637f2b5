package dev.parley.bench.prove;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agent.RunFailure;
import dev.parley.protocol.agent.RunView;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.AguiJson;
import dev.parley.protocol.chat.Message;
import dev.parley.sdk.PlacedEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The judge must be able to find every kind of fault. */
class RunJudgeTest {
    private static final ThreadId THREAD = new ThreadId(new UUID(7, 7));
    private static final UUID TASK = new UUID(8, 8);
    private static final Actor USER = Actor.user(new UUID(1, 1));
    private static final Actor AGENT = Actor.agent(new UUID(2, 2));
    private static final StartedRun RUN = new StartedRun(THREAD, "r", TASK, Prompt.slow(3));

    private static final String STARTED = "{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\",%s}";
    private static final String BEGIN = "{\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m\",%s}";
    private static final String SOME = "{\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"1 2 \",%s}";
    private static final String REST = "{\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"3.\",%s}";
    private static final String FINISHED = "{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\",%s}";
    private static final String FAILED = "{\"type\":\"RUN_ERROR\",\"message\":\"x\",\"code\":\"interrupted\",%s}";

    private static final RunView COMPLETED = view("completed", 5, null);
    private static final RunView INTERRUPTED = view("failed", 4, new RunFailure("interrupted", "x", null));

    @Test
    void flawlessRunHasNoViolations() {
        assertThat(judge(COMPLETED, replay("1 2 3.", false, STARTED, BEGIN, SOME, REST, FINISHED)))
                .isEmpty();
        assertThat(judge(INTERRUPTED, replay("1 2 ", true, STARTED, BEGIN, SOME, FAILED)))
                .isEmpty();
    }

    @Test
    void missingDoubledOrEarlyEndIsFound() {
        assertThat(judge(view("completed", 4, null), replay("1 2 3.", false, STARTED, BEGIN, SOME, REST)))
                .isNotEmpty();
        assertThat(judge(
                        view("completed", 6, null),
                        replay("1 2 3.", false, STARTED, BEGIN, SOME, REST, FAILED, FINISHED)))
                .anySatisfy(found -> assertThat(found).contains("2 terminal events"));
        assertThat(judge(view("completed", 5, null), replay("1 2 3.", false, STARTED, BEGIN, SOME, FINISHED, REST)))
                .anySatisfy(found -> assertThat(found).contains("goes on"));
    }

    @Test
    void stateThatDiffersFromTheEndIsFound() {
        assertThat(judge(view("cancelled", 5, null), replay("1 2 3.", false, STARTED, BEGIN, SOME, REST, FINISHED)))
                .isNotEmpty();
        assertThat(judge(view("completed", 9, null), replay("1 2 3.", false, STARTED, BEGIN, SOME, REST, FINISHED)))
                .isNotEmpty();
    }

    @Test
    void textThatDiffersFromTheStreamIsFound() {
        assertThat(judge(COMPLETED, replay("1 2 3", false, STARTED, BEGIN, SOME, REST, FINISHED)))
                .isNotEmpty();
        assertThat(judge(COMPLETED, replay(null, false, STARTED, BEGIN, SOME, REST, FINISHED)))
                .isNotEmpty();
        assertThat(judge(view("completed", 4, null), replay("1 2 ", false, STARTED, BEGIN, SOME, FINISHED)))
                .isNotEmpty();
        assertThat(judge(INTERRUPTED, replay("1 2 ", false, STARTED, BEGIN, SOME, FAILED)))
                .anySatisfy(found -> assertThat(found).contains("not marked as partial"));
    }

    @Test
    void otherTaskAndMissingQuestionAreFound() {
        RunReplay good = replay("1 2 3.", false, STARTED, BEGIN, SOME, REST, FINISHED);
        StartedRun other = new StartedRun(THREAD, "r", new UUID(9, 9), RUN.prompt());
        assertThat(RunJudge.judge(other, COMPLETED, good)).hasSize(1);
        assertThat(judge(COMPLETED, new RunReplay(good.events(), good.messages().subList(1, 2))))
                .hasSize(1);
    }

    private static List<String> judge(RunView view, RunReplay replay) {
        return RunJudge.judge(RUN, view, replay);
    }

    private static RunReplay replay(@Nullable String stored, boolean partial, String... lines) {
        List<PlacedEvent> events = new ArrayList<>();
        for (int i = 0; i < lines.length; i++) {
            AguiEvent event = AguiJson.readEvent(lines[i].formatted("\"metadata\":{\"runId\":\"r\"}"));
            events.add(new PlacedEvent(i + 1, event));
        }
        List<Message> messages = new ArrayList<>();
        messages.add(message(1, "user", RUN.prompt().text(), "q", false));
        if (stored != null) {
            messages.add(message(2, "assistant", stored, "m", partial));
        }
        return new RunReplay(events, messages);
    }

    private static Message message(long seq, String role, String content, String id, boolean partial) {
        String json = """
                {"id": "%s", "sender_id": "%s", "role": "%s", "content": "%s", "mentions": [], "reactions": [],
                "metadata": {"run_id": "r", "message_id": "%s", "partial": %s}, "thread_seq": %d,
                "server_seq_at_submit": %d, "created_at": "1970-01-01T00:00:00Z"}
                """.formatted(id, USER.value(), role, content, id, partial, seq, seq - 1);
        return Json.MAPPER.readValue(json, Message.class);
    }

    private static RunView view(String state, long last, @Nullable RunFailure error) {
        return RunView.of(TASK, THREAD, "r", AGENT, USER)
                .state(state, 1)
                .triggers(List.of(1L))
                .events(1L, last)
                .error(error)
                .times(Instant.EPOCH, Instant.EPOCH, Instant.EPOCH)
                .build();
    }
}
