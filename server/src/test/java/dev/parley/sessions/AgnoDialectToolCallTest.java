package dev.parley.sessions;

import static dev.parley.sessions.AgnoEvents.content;
import static dev.parley.sessions.AgnoEvents.event;
import static dev.parley.sessions.AgnoEvents.tool;
import static dev.parley.sessions.TranslatedRun.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.agui.TextEvent;
import dev.parley.protocol.agui.ToolEvent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Agno's tool calls as those of AG-UI. */
class AgnoDialectToolCallTest {
    @Test
    void callIsWholeAndItsResultFollows() {
        Map<String, Object> weather = tool("c1", "weather", Map.of("city", "القاهرة"), null, false);
        TranslatedRun run = TranslatedRun.of(
                content(RUN, "Let me see."),
                event("ToolCallStarted", RUN, "tool", weather),
                event(
                        "ToolCallCompleted",
                        RUN,
                        "content",
                        "weather(…) completed in 0.1s.",
                        "tool",
                        tool("c1", "weather", Map.of("city", "القاهرة"), "sunny ☀️", false)),
                content(RUN, "Sunny."),
                event("RunCompleted", RUN));
        assertThat(run.types())
                .containsSubsequence(
                        "TEXT_MESSAGE_END",
                        "TOOL_CALL_START",
                        "TOOL_CALL_ARGS",
                        "TOOL_CALL_END",
                        "TOOL_CALL_RESULT",
                        "TEXT_MESSAGE_START");
        ToolEvent.Start call = run.all(ToolEvent.Start.class).getFirst();
        assertThat(call.parentMessageId())
                .isEqualTo(run.all(TextEvent.Start.class).getFirst().messageId());
        assertThat(run.all(ToolEvent.Args.class).getFirst().delta()).isEqualTo("{\"city\":\"القاهرة\"}");
        assertThat(run.all(ToolEvent.Result.class).getFirst().content().plainText())
                .isEqualTo("sunny ☀️");
        assertThat(run.all(ToolEvent.Result.class).getFirst().common().metadata())
                .isNull();
    }

    @Test
    void failedCallIsMarkedAndAnsweredOnce() {
        TranslatedRun run = TranslatedRun.of(
                event("ToolCallStarted", RUN, "tool", tool("c1", "dig", Map.of(), null, false)),
                event("ToolCallCompleted", RUN, "tool", tool("c1", "dig", Map.of(), "no shovel", true)),
                event("ToolCallError", RUN, "tool", tool("c1", "dig", Map.of(), null, true), "error", "no shovel"));
        assertThat(run.all(ToolEvent.Result.class)).singleElement().satisfies(result -> {
            assertThat(result.content().plainText()).isEqualTo("no shovel");
            assertThat(String.valueOf(result.common().metadata())).isEqualTo("{\"tool_failed\":true}");
        });
        assertThat(run.guard().isOver()).isFalse();
    }

    /** Calls of one turn stay together; calls that providers number anew are other calls. */
    @Test
    void callsWithRepeatedOrMissingIdsAreDistinguished() {
        TranslatedRun run = TranslatedRun.of(
                event("ToolCallStarted", RUN, "tool", tool("call_0", "a", null, null, false)),
                event("ToolCallStarted", RUN, "tool", tool("call_1", "b", "{}", null, false)),
                event("ToolCallCompleted", RUN, "tool", tool("call_1", "b", "{}", "B", false)),
                event("ToolCallCompleted", RUN, "tool", tool("call_0", "a", null, "A", false)),
                event("ToolCallStarted", RUN, "tool", tool("call_0", "a", null, null, false)),
                event("ToolCallStarted", RUN, "tool", tool("call_0", "a", null, null, false)),
                event("ToolCallCompleted", RUN, "tool", tool("call_0", "a", null, "A2", false)),
                event("ToolCallStarted", RUN, "tool", tool(null, "c", null, null, false)),
                event("ToolCallCompleted", RUN, "tool", tool(null, "c", null, Map.of("n", 1), false)),
                event("ToolCallCompleted", RUN, "tool", tool("never started", "d", Map.of("x", 1), "D", false)));
        assertThat(run.guard().isOver()).as(run.lines().toString()).isFalse();
        List<ToolEvent.Start> calls = run.all(ToolEvent.Start.class);
        assertThat(calls).extracting(ToolEvent.Start::toolCallName).containsExactly("a", "b", "a", "c", "d");
        assertThat(calls).extracting(ToolEvent.Start::toolCallId).doesNotHaveDuplicates();
        assertThat(calls.get(1).parentMessageId()).isEqualTo(calls.get(0).parentMessageId());
        assertThat(calls.get(2).parentMessageId()).isNotEqualTo(calls.get(0).parentMessageId());
        Map<String, String> results = new LinkedHashMap<>();
        run.all(ToolEvent.Result.class)
                .forEach(result ->
                        results.put(result.toolCallId(), result.content().plainText()));
        assertThat(results.values()).containsExactly("B", "A", "A2", "{\"n\":1}", "D");
        assertThat(results.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        calls.stream().map(ToolEvent.Start::toolCallId).toList());
    }
}
