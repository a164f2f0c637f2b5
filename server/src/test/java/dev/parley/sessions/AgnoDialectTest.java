package dev.parley.sessions;

import static dev.parley.sessions.AgnoEvents.content;
import static dev.parley.sessions.AgnoEvents.event;
import static dev.parley.sessions.AgnoEvents.tool;
import static dev.parley.sessions.TranslatedRun.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.agui.PassedEvent;
import dev.parley.protocol.agui.SubagentEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.runs.guard.Transcript;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Agno's events as those of AG-UI. */
class AgnoDialectTest {
    @Test
    void answerIsStreamed() {
        TranslatedRun run = TranslatedRun.of(
                event("RunStarted", RUN, "model", "gpt-4o", "model_provider", "OpenAI"),
                content(RUN, "你"),
                content(RUN, "好 👋🏽"),
                event("RunContentCompleted", RUN),
                event("RunCompleted", RUN, "content", "你好 👋🏽"));
        assertThat(run.types())
                .containsExactly(
                        "RUN_STARTED",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT",
                        "TEXT_MESSAGE_CONTENT",
                        "TEXT_MESSAGE_END",
                        "RUN_FINISHED");
        assertThat(run.text()).isEqualTo("你好 👋🏽");
        assertThat(run.effects())
                .filteredOn(StreamEffect.Noted.class::isInstance)
                .singleElement()
                .satisfies(noted ->
                        assertThat(((StreamEffect.Noted) noted).model()).isEqualTo("gpt-4o"));
    }

    @Test
    void unstreamedTextIsEmittedAtTheEnd() {
        assertThat(TranslatedRun.of(event("RunCompleted", RUN, "content", "all at once"))
                        .text())
                .isEqualTo("all at once");
        assertThat(TranslatedRun.of(event("RunCompleted", RUN, "content", Map.of("city", "Kraków")))
                        .text())
                .isEqualTo("{\"city\":\"Kraków\"}");
        assertThat(TranslatedRun.of(event("RunCompleted", RUN)).types()).containsExactly("RUN_STARTED", "RUN_FINISHED");
        // A difference from the streamed text is left to the stored message.
        assertThat(TranslatedRun.of(content(RUN, "half"), event("RunCompleted", RUN, "content", "half and more"))
                        .text())
                .isEqualTo("half");
    }

    @Test
    void reasoningAndTextAreSeparateMessages() {
        TranslatedRun run = TranslatedRun.of(
                event("RunContent", RUN, "reasoning_content", "hm"),
                event("RunContent", RUN, "reasoning_content", ", so", "content", "Yes"),
                content(RUN, "."),
                event("ReasoningStarted", RUN),
                event("ReasoningContentDelta", RUN, "reasoning_content", "again"),
                event("ReasoningCompleted", RUN, "reasoning_content", "hm, soagain"),
                content(RUN, "No."),
                event("RunCompleted", RUN));
        assertThat(run.types())
                .containsExactly(
                        "RUN_STARTED",
                        "REASONING_START",
                        "REASONING_MESSAGE_START",
                        "REASONING_MESSAGE_CONTENT",
                        "REASONING_MESSAGE_CONTENT",
                        "REASONING_MESSAGE_END",
                        "REASONING_END",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT",
                        "TEXT_MESSAGE_CONTENT",
                        "TEXT_MESSAGE_END",
                        "REASONING_START",
                        "REASONING_MESSAGE_START",
                        "REASONING_MESSAGE_CONTENT",
                        "REASONING_MESSAGE_END",
                        "REASONING_END",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT",
                        "TEXT_MESSAGE_END",
                        "RUN_FINISHED");
        assertThat(run.all(TextEvent.Start.class))
                .extracting(TextEvent.Start::messageId)
                .doesNotHaveDuplicates()
                .hasSize(2);
    }

    /** Each step repeats the steps before it. */
    @Test
    void stepsOfReasoningAreAddedUpOnce() {
        TranslatedRun run = TranslatedRun.of(
                event("ReasoningStarted", RUN),
                event("ReasoningStep", RUN, "reasoning_content", "## One\n", "content", Map.of("title", "One")),
                event("ReasoningStep", RUN, "reasoning_content", "## One\n## Two\n"),
                event("ReasoningCompleted", RUN, "reasoning_content", "## One\n## Two\n"));
        assertThat(run.guard().transcript().items())
                .singleElement()
                .satisfies(
                        item -> assertThat(((Transcript.Reasoning) item).text()).isEqualTo("## One\n## Two\n"));
    }

    @Test
    void firstEndCounts() {
        TranslatedRun cancelled = TranslatedRun.of(
                content(RUN, "half"),
                event("RunCancelled", RUN, "reason", "stop"),
                event("RunCompleted", RUN, "content", "half", "metrics", Map.of("input_tokens", 5)),
                content(RUN, "late"));
        assertThat(cancelled.lines().getLast()).contains("RUN_FINISHED").contains("cancelled");
        assertThat(cancelled.text()).isEqualTo("half");
        assertThat(cancelled.effects()).noneMatch(StreamEffect.Used.class::isInstance);
        TranslatedRun failed =
                TranslatedRun.of(event("RunError", RUN, "content", "boom", "error_type", "ModelProviderError"));
        assertThat(failed.lines().getLast())
                .contains("RUN_ERROR")
                .contains("boom")
                .contains("ModelProviderError");
    }

    @Test
    void pausedRunNamesTheCallsItWaitsFor() {
        Map<String, Object> asked = tool("c1", "send_mail", Map.of("to", "amélie"), null, false);
        TranslatedRun run = TranslatedRun.of(
                content(RUN, "May I?"),
                event("RunPaused", RUN, "tools", List.of(asked), "requirements", List.of(Map.of("id", "q1"))));
        assertThat(run.paused()).isTrue();
        PassedEvent.Custom custom = run.all(PassedEvent.Custom.class).getFirst();
        assertThat(custom.name()).isEqualTo("RunPaused");
        assertThat(custom.value().at("/tools/0/tool_args/to").asString()).isEqualTo("amélie");
        assertThat(custom.value().at("/requirements/0/id").asString()).isEqualTo("q1");
        assertThat(TranslatedRun.of(event("RunPaused", RUN), event("RunContinued", RUN))
                        .paused())
                .isFalse();
        assertThat(TranslatedRun.of(event("RunPaused", "member")).paused()).isFalse();
    }

    /** Members speak through their team's stream; their runs are below it, at any depth. */
    @Test
    void membersAreRunsBelowTheTeamsRun() {
        TranslatedRun run = TranslatedRun.of(
                event("TeamRunStarted", RUN, "team_name", "Desk"),
                event("TeamRunContent", RUN, "content", "I ask them."),
                event("RunStarted", "m1", "parent_run_id", RUN, "agent_name", "Reader", "agent_id", "reader"),
                event("TeamRunStarted", "m2", "parent_run_id", RUN, "team_name", "Writers"),
                event("RunContent", "m1", "content", "读"),
                event("RunStarted", "m3", "parent_run_id", "m2", "agent_name", "Poet"),
                event("RunContent", "m3", "content", "rose"),
                event("ToolCallStarted", "m1", "tool", tool("call_0", "look", null, null, false)),
                event("ToolCallStarted", "m3", "tool", tool("call_0", "look", null, null, false)),
                event("ToolCallCompleted", "m3", "tool", tool("call_0", "look", null, "thorn", false)),
                event("ToolCallCompleted", "m1", "tool", tool("call_0", "look", null, "page", false)),
                event("RunCompleted", "m3", "content", "rose"),
                event("RunCancelled", "m1", "reason", "enough"),
                event("RunCompleted", "m1"),
                event("RunContent", "m1", "content", "late"),
                event("TeamRunCompleted", "m2", "content", "from the writers"),
                event("TeamRunContent", RUN, "content", "Done."),
                event("TeamRunCompleted", RUN, "content", "I ask them.Done."));
        assertThat(run.lines().getLast()).contains("RUN_FINISHED").doesNotContain("cancelled");
        assertThat(run.all(SubagentEvent.Started.class))
                .extracting(
                        started -> started.subagentRunId() + "/" + started.name() + "/" + started.parentSubagentRunId())
                .containsExactly("m1/Reader/null", "m2/Writers/null", "m3/Poet/m2");
        assertThat(run.all(SubagentEvent.Finished.class))
                .extracting(SubagentEvent.Finished::subagentRunId)
                .containsExactly("m3", "m2");
        assertThat(run.all(SubagentEvent.Failed.class)).singleElement().satisfies(failed -> {
            assertThat(failed.subagentRunId()).isEqualTo("m1");
            assertThat(failed.message()).isEqualTo("enough");
            assertThat(failed.code()).isEqualTo("cancelled");
        });
        Map<String, String> texts = new LinkedHashMap<>();
        run.guard().transcript().items().forEach(item -> {
            if (item instanceof Transcript.Text said) {
                texts.merge(String.valueOf(said.marks().subagentRunId()), said.text(), String::concat);
            }
        });
        assertThat(texts)
                .containsEntry("null", "I ask them.Done.")
                .containsEntry("m1", "读")
                .containsEntry("m2", "from the writers")
                .containsEntry("m3", "rose");
        assertThat(run.effects())
                .filteredOn(StreamEffect.Noted.class::isInstance)
                .extracting(effect ->
                        ((StreamEffect.Noted) effect).runId() + "<" + ((StreamEffect.Noted) effect).parentRunId())
                .containsExactly(RUN + "<null", "m1<" + RUN, "m2<" + RUN, "m3<m2");
    }

    @Test
    void usageIsRecorded() {
        TranslatedRun run = TranslatedRun.of(
                event(
                        "ModelRequestCompleted",
                        RUN,
                        "model",
                        "gpt-4o",
                        "model_provider",
                        "OpenAI",
                        "input_tokens",
                        82,
                        "output_tokens",
                        22,
                        "cache_read_tokens",
                        10),
                event("ModelRequestCompleted", "m1", "input_tokens", 1e30, "cost", 0.25),
                event("ModelRequestCompleted", RUN),
                event(
                        "RunCompleted",
                        RUN,
                        "metrics",
                        Map.of(
                                "input_tokens",
                                82,
                                "details",
                                Map.of("model", List.of(Map.of("id", "gpt-4o", "provider", "OpenAI"))))));
        List<StreamEffect.Used> used = run.effects().stream()
                .filter(StreamEffect.Used.class::isInstance)
                .map(StreamEffect.Used.class::cast)
                .toList();
        assertThat(used).hasSize(3);
        assertThat(used.get(0).request()).isZero();
        assertThat(used.get(0).tokens()).isEqualTo(new AgnoTokens(82, 22, 10, null));
        assertThat(used.get(1).task()).isEqualTo(TranslatedRun.ROW.taskId());
        assertThat(used.get(1).tokens().input()).isEqualTo(Integer.MAX_VALUE);
        assertThat(used.get(1).cost()).isEqualByComparingTo(new BigDecimal("0.25"));
        assertThat(used.get(2).total()).isTrue();
        assertThat(used.get(2).model()).isEqualTo("gpt-4o");
    }
}
