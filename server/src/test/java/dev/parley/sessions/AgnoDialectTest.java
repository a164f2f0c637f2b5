package dev.parley.sessions;

import static dev.parley.sessions.AgnoEvents.content;
import static dev.parley.sessions.AgnoEvents.event;
import static dev.parley.sessions.AgnoEvents.json;
import static dev.parley.sessions.AgnoEvents.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.parley.log.Effect;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.AguiJson;
import dev.parley.protocol.agui.PassedEvent;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.SubagentEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.protocol.agui.ToolEvent;
import dev.parley.runs.external.EventLanguage;
import dev.parley.runs.external.RunProgress;
import dev.parley.runs.guard.RunGuard;
import dev.parley.runs.guard.Transcript;
import dev.parley.runs.lifecycle.MultitaskStrategy;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunIdentity;
import dev.parley.runs.lifecycle.RunState;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Agno's events become AG-UI's, and the same ones however often the server restarts in between. */
class AgnoDialectTest {
    private static final String RUN = "run-1";
    private static final Run ROW = run();

    private final AgnoDialect dialect = new AgnoDialect();

    private static Run run() {
        return new Run(
                RunIdentity.of(
                                new UUID(7, 7),
                                new ThreadId(new UUID(1, 2)),
                                RUN,
                                Actor.agent(new UUID(3, 3)),
                                Actor.user(new UUID(4, 4)))
                        .askedFor(MultitaskStrategy.ENQUEUE)
                        .drivenBy(Run.Driver.EXTERNAL),
                new RunState.Running(1, 1, null, new UUID(5, 5)),
                1,
                null,
                List.of(),
                null,
                new Run.Positions(0, 1L, null),
                0,
                Run.Result.NONE,
                new Run.Times(Instant.EPOCH, null, null));
    }

    /** The result of some events. */
    private record Outcome(RunGuard guard, List<AguiEvent> entered, List<Effect> effects, boolean paused) {
        List<String> types() {
            return entered.stream().map(AguiEvent::type).toList();
        }

        String text() {
            StringBuilder text = new StringBuilder();
            guard.transcript().items().forEach(item -> {
                if (item instanceof Transcript.Text said) {
                    text.append(said.text());
                }
            });
            return text.toString();
        }

        <T> List<T> all(Class<T> type) {
            return entered.stream().filter(type::isInstance).map(type::cast).toList();
        }

        List<String> lines() {
            return entered.stream().map(AguiJson::write).toList();
        }
    }

    private Outcome tell(Object... events) {
        return tell(json(Arrays.asList(events)), false);
    }

    /** @param forgetting true to read everything known back from the log before each event */
    private Outcome tell(List<JsonNode> events, boolean forgetting) {
        List<AguiEvent> entered = new ArrayList<>();
        List<Effect> effects = new ArrayList<>();
        boolean paused = false;
        RunGuard guard = new RunGuard(ROW.thread().toString(), RUN);
        entered.addAll(guard.accept(new RunEvent.Started(ROW.thread().toString(), RUN)));
        RunProgress progress = new RunProgress(ROW, guard);
        for (int i = 0; i < events.size(); i++) {
            dialect.requireReadable(events.get(i), "events[" + i + "]");
            if (forgetting) {
                guard = RunGuard.restore(
                        ROW.thread().toString(),
                        RUN,
                        entered.stream()
                                .map(each -> AguiJson.readEvent(Json.MAPPER.readTree(AguiJson.write(each)), ""))
                                .toList());
                progress = new RunProgress(ROW, guard);
            }
            if (guard.isOver()) {
                break;
            }
            EventLanguage.Words words = dialect.read(events.get(i), i, progress);
            for (AguiEvent each : words.events()) {
                entered.addAll(guard.accept(each));
            }
            effects.addAll(words.effects());
            paused = words.pauses();
        }
        return new Outcome(guard, entered, effects, paused);
    }

    @Test
    void answerIsStreamed() {
        Outcome told = tell(
                event("RunStarted", RUN, "model", "gpt-4o", "model_provider", "OpenAI"),
                content(RUN, "你"),
                content(RUN, "好 👋🏽"),
                event("RunContentCompleted", RUN),
                event("RunCompleted", RUN, "content", "你好 👋🏽"));
        assertThat(told.types())
                .containsExactly(
                        "RUN_STARTED",
                        "TEXT_MESSAGE_START",
                        "TEXT_MESSAGE_CONTENT",
                        "TEXT_MESSAGE_CONTENT",
                        "TEXT_MESSAGE_END",
                        "RUN_FINISHED");
        assertThat(told.text()).isEqualTo("你好 👋🏽");
        assertThat(told.effects())
                .filteredOn(StreamEffect.Noted.class::isInstance)
                .singleElement()
                .satisfies(noted ->
                        assertThat(((StreamEffect.Noted) noted).model()).isEqualTo("gpt-4o"));
    }

    @Test
    void unstreamedTextIsEmittedAtTheEnd() {
        assertThat(tell(event("RunCompleted", RUN, "content", "all at once")).text())
                .isEqualTo("all at once");
        assertThat(tell(event("RunCompleted", RUN, "content", Map.of("city", "Kraków")))
                        .text())
                .isEqualTo("{\"city\":\"Kraków\"}");
        assertThat(tell(event("RunCompleted", RUN)).types()).containsExactly("RUN_STARTED", "RUN_FINISHED");
        // A difference from the streamed text is left to the stored message.
        assertThat(tell(content(RUN, "half"), event("RunCompleted", RUN, "content", "half and more"))
                        .text())
                .isEqualTo("half");
    }

    @Test
    void reasoningAndTextAreSeparateMessages() {
        Outcome told = tell(
                event("RunContent", RUN, "reasoning_content", "hm"),
                event("RunContent", RUN, "reasoning_content", ", so", "content", "Yes"),
                content(RUN, "."),
                event("ReasoningStarted", RUN),
                event("ReasoningContentDelta", RUN, "reasoning_content", "again"),
                event("ReasoningCompleted", RUN, "reasoning_content", "hm, soagain"),
                content(RUN, "No."),
                event("RunCompleted", RUN));
        assertThat(told.types())
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
        assertThat(told.all(TextEvent.Start.class))
                .extracting(TextEvent.Start::messageId)
                .doesNotHaveDuplicates()
                .hasSize(2);
    }

    /** Each step repeats the steps before it. */
    @Test
    void stepsOfReasoningAreAddedUpOnce() {
        Outcome told = tell(
                event("ReasoningStarted", RUN),
                event("ReasoningStep", RUN, "reasoning_content", "## One\n", "content", Map.of("title", "One")),
                event("ReasoningStep", RUN, "reasoning_content", "## One\n## Two\n"),
                event("ReasoningCompleted", RUN, "reasoning_content", "## One\n## Two\n"));
        assertThat(told.guard().transcript().items())
                .singleElement()
                .satisfies(
                        item -> assertThat(((Transcript.Reasoning) item).text()).isEqualTo("## One\n## Two\n"));
    }

    @Test
    void callIsWholeAndItsResultFollows() {
        Map<String, Object> weather = tool("c1", "weather", Map.of("city", "القاهرة"), null, false);
        Outcome told = tell(
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
        assertThat(told.types())
                .containsSubsequence(
                        "TEXT_MESSAGE_END",
                        "TOOL_CALL_START",
                        "TOOL_CALL_ARGS",
                        "TOOL_CALL_END",
                        "TOOL_CALL_RESULT",
                        "TEXT_MESSAGE_START");
        ToolEvent.Start call = told.all(ToolEvent.Start.class).getFirst();
        assertThat(call.parentMessageId())
                .isEqualTo(told.all(TextEvent.Start.class).getFirst().messageId());
        assertThat(told.all(ToolEvent.Args.class).getFirst().delta()).isEqualTo("{\"city\":\"القاهرة\"}");
        assertThat(told.all(ToolEvent.Result.class).getFirst().content().plainText())
                .isEqualTo("sunny ☀️");
        assertThat(told.all(ToolEvent.Result.class).getFirst().common().metadata())
                .isNull();
    }

    @Test
    void failedCallIsMarkedAndAnsweredOnce() {
        Outcome told = tell(
                event("ToolCallStarted", RUN, "tool", tool("c1", "dig", Map.of(), null, false)),
                event("ToolCallCompleted", RUN, "tool", tool("c1", "dig", Map.of(), "no shovel", true)),
                event("ToolCallError", RUN, "tool", tool("c1", "dig", Map.of(), null, true), "error", "no shovel"));
        assertThat(told.all(ToolEvent.Result.class)).singleElement().satisfies(result -> {
            assertThat(result.content().plainText()).isEqualTo("no shovel");
            assertThat(String.valueOf(result.common().metadata())).isEqualTo("{\"tool_failed\":true}");
        });
        assertThat(told.guard().isOver()).isFalse();
    }

    /** Calls of one turn stay together; calls that providers number anew are other calls. */
    @Test
    void callsWithAnyIdsAreToldApart() {
        Outcome told = tell(
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
        assertThat(told.guard().isOver()).as(told.lines().toString()).isFalse();
        List<ToolEvent.Start> calls = told.all(ToolEvent.Start.class);
        assertThat(calls).extracting(ToolEvent.Start::toolCallName).containsExactly("a", "b", "a", "c", "d");
        assertThat(calls).extracting(ToolEvent.Start::toolCallId).doesNotHaveDuplicates();
        assertThat(calls.get(1).parentMessageId()).isEqualTo(calls.get(0).parentMessageId());
        assertThat(calls.get(2).parentMessageId()).isNotEqualTo(calls.get(0).parentMessageId());
        Map<String, String> results = new LinkedHashMap<>();
        told.all(ToolEvent.Result.class)
                .forEach(result ->
                        results.put(result.toolCallId(), result.content().plainText()));
        assertThat(results.values()).containsExactly("B", "A", "A2", "{\"n\":1}", "D");
        assertThat(results.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        calls.stream().map(ToolEvent.Start::toolCallId).toList());
    }

    /** The most events of a post; each is read without reading the earlier ones again. */
    @Test
    void manyEventsAreReadInTime() {
        List<Object> events = new ArrayList<>();
        for (int i = 0; i < 7_000; i++) {
            events.add(event("ReasoningStep", RUN, "reasoning_content", i + " 想".repeat(500)));
        }
        for (int i = 0; i < 6_000; i++) {
            events.add(event("ToolCallStarted", RUN, "tool", tool(null, "tool " + i, null, null, false)));
        }
        for (int i = 0; i < 6_000; i++) {
            events.add(event("ToolCallCompleted", RUN, "tool", tool(null, "tool " + i, null, "done", false)));
        }
        List<JsonNode> all = json(events);
        Outcome told = assertTimeoutPreemptively(Duration.ofSeconds(10), () -> tell(all, false));
        assertThat(told.all(ToolEvent.Result.class)).hasSize(6_000);
        assertThat(told.all(ToolEvent.Start.class)).hasSize(6_000);
    }

    @Test
    void firstEndCounts() {
        Outcome cancelled = tell(
                content(RUN, "half"),
                event("RunCancelled", RUN, "reason", "stop"),
                event("RunCompleted", RUN, "content", "half", "metrics", Map.of("input_tokens", 5)),
                content(RUN, "late"));
        assertThat(cancelled.lines().getLast()).contains("RUN_FINISHED").contains("cancelled");
        assertThat(cancelled.text()).isEqualTo("half");
        assertThat(cancelled.effects()).noneMatch(StreamEffect.Used.class::isInstance);
        Outcome failed = tell(event("RunError", RUN, "content", "boom", "error_type", "ModelProviderError"));
        assertThat(failed.lines().getLast())
                .contains("RUN_ERROR")
                .contains("boom")
                .contains("ModelProviderError");
    }

    @Test
    void pausedRunNamesTheCallsItWaitsFor() {
        Map<String, Object> asked = tool("c1", "send_mail", Map.of("to", "amélie"), null, false);
        Outcome told = tell(
                content(RUN, "May I?"),
                event("RunPaused", RUN, "tools", List.of(asked), "requirements", List.of(Map.of("id", "q1"))));
        assertThat(told.paused()).isTrue();
        PassedEvent.Custom custom = told.all(PassedEvent.Custom.class).getFirst();
        assertThat(custom.name()).isEqualTo("RunPaused");
        assertThat(custom.value().at("/tools/0/tool_args/to").asString()).isEqualTo("amélie");
        assertThat(custom.value().at("/requirements/0/id").asString()).isEqualTo("q1");
        assertThat(tell(event("RunPaused", RUN), event("RunContinued", RUN)).paused())
                .isFalse();
        assertThat(tell(event("RunPaused", "member")).paused()).isFalse();
    }

    /** Members speak through their team's stream; their runs are below it, at any depth. */
    @Test
    void membersAreRunsBelowTheTeamsRun() {
        Outcome told = tell(
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
        assertThat(told.lines().getLast()).contains("RUN_FINISHED").doesNotContain("cancelled");
        assertThat(told.all(SubagentEvent.Started.class))
                .extracting(
                        started -> started.subagentRunId() + "/" + started.name() + "/" + started.parentSubagentRunId())
                .containsExactly("m1/Reader/null", "m2/Writers/null", "m3/Poet/m2");
        assertThat(told.all(SubagentEvent.Finished.class))
                .extracting(SubagentEvent.Finished::subagentRunId)
                .containsExactly("m3", "m2");
        assertThat(told.all(SubagentEvent.Failed.class)).singleElement().satisfies(failed -> {
            assertThat(failed.subagentRunId()).isEqualTo("m1");
            assertThat(failed.message()).isEqualTo("enough");
            assertThat(failed.code()).isEqualTo("cancelled");
        });
        Map<String, String> texts = new LinkedHashMap<>();
        told.guard().transcript().items().forEach(item -> {
            if (item instanceof Transcript.Text said) {
                texts.merge(String.valueOf(said.marks().subagentRunId()), said.text(), String::concat);
            }
        });
        assertThat(texts)
                .containsEntry("null", "I ask them.Done.")
                .containsEntry("m1", "读")
                .containsEntry("m2", "from the writers")
                .containsEntry("m3", "rose");
        assertThat(told.effects())
                .filteredOn(StreamEffect.Noted.class::isInstance)
                .extracting(effect ->
                        ((StreamEffect.Noted) effect).runId() + "<" + ((StreamEffect.Noted) effect).parentRunId())
                .containsExactly(RUN + "<null", "m1<" + RUN, "m2<" + RUN, "m3<m2");
    }

    @Test
    void usageIsRecorded() {
        Outcome told = tell(
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
        List<StreamEffect.Used> used = told.effects().stream()
                .filter(StreamEffect.Used.class::isInstance)
                .map(StreamEffect.Used.class::cast)
                .toList();
        assertThat(used).hasSize(3);
        assertThat(used.get(0).request()).isZero();
        assertThat(used.get(0).tokens()).isEqualTo(new AgnoTokens(82, 22, 10, null));
        assertThat(used.get(1).task()).isEqualTo(ROW.taskId());
        assertThat(used.get(1).tokens().input()).isEqualTo(Integer.MAX_VALUE);
        assertThat(used.get(1).cost()).isEqualByComparingTo(new BigDecimal("0.25"));
        assertThat(used.get(2).total()).isTrue();
        assertThat(used.get(2).model()).isEqualTo("gpt-4o");
    }

    static List<String> allNames() {
        return AgnoEvents.allNames().toList();
    }

    @ParameterizedTest
    @MethodSource("allNames")
    void everyEventIsTaken(String name) {
        for (String run : new String[] {RUN, "member", null}) {
            Outcome told = tell(
                    event(name, run, "content", "c", "reasoning_content", "r", "tool", tool("t", "n", null, 1, false)));
            assertThat(told.lines().toString()).doesNotContain("illegal_event");
            Outcome bare = tell(event(name, run));
            assertThat(bare.lines().toString()).doesNotContain("illegal_event");
        }
    }

    @Test
    void unknownEventIsPassedOnUnchanged() {
        Outcome told = tell(
                event("SomethingNew", RUN, "détail", List.of(1, Map.of("a", "b"))),
                event("TeamTaskCreated", RUN, "task", Map.of("id", 3)),
                event("CustomEvent", "m1", "tool_call_id", "x"));
        assertThat(told.all(PassedEvent.Custom.class))
                .extracting(PassedEvent.Custom::name)
                .containsExactly("SomethingNew", "TeamTaskCreated", "CustomEvent");
        assertThat(told.all(PassedEvent.Custom.class)
                        .getFirst()
                        .value()
                        .at("/détail/1/a")
                        .asString())
                .isEqualTo("b");
        assertThat(told.all(PassedEvent.Custom.class).getLast().subagentRunId()).isEqualTo("m1");
        JsonNode large = tell(event("CustomEvent", RUN, "blob", "x".repeat(100_000)))
                .all(PassedEvent.Custom.class)
                .getFirst()
                .value();
        assertThat(large.get("truncated").asBoolean()).isTrue();
        assertThat(large.get("event").asString()).isEqualTo("CustomEvent");
        assertThat(large.has("blob")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "7", "null", "{\"event\":7}", "{\"event\":\"\"}", "{\"event\":\"a\\u0000\"}"})
    void objectWithoutAnEventNameIsRefused(String json) {
        assertThatThrownBy(() -> dialect.requireReadable(Json.MAPPER.readTree(json), "events[2]"))
                .isInstanceOf(ProblemException.class);
    }

    /** Members of the wrong type, ids of any length and form: they may be ignored, and break nothing. */
    @ParameterizedTest
    @MethodSource("allNames")
    void malformedMembersBreakNothing(String name) {
        List<Object> odd = new ArrayList<>(List.of(
                7,
                true,
                "",
                "a\u0000b\ud800",
                "x".repeat(5_000),
                List.of(List.of()),
                Map.of("tool_call_id", 5),
                -1e300));
        for (Object value : odd) {
            Map<String, Object> event = event(name, null);
            for (String member : List.of(
                    "run_id",
                    "parent_run_id",
                    "agent_name",
                    "team_name",
                    "agent_id",
                    "content",
                    "reasoning_content",
                    "tool",
                    "error",
                    "reason",
                    "metrics",
                    "model",
                    "input_tokens",
                    "cost",
                    "error_type")) {
                event.put(member, value);
            }
            Map<String, Object> nested = event(
                    name,
                    null,
                    "tool",
                    new LinkedHashMap<>(Map.of(
                            "tool_call_id",
                            value,
                            "tool_name",
                            value,
                            "tool_args",
                            value,
                            "result",
                            value,
                            "tool_call_error",
                            value)));
            Outcome told = tell(event, nested, event, content(RUN, "still here"));
            assertThat(told.lines().toString()).doesNotContain("illegal_event");
            told.all(ToolEvent.Start.class)
                    .forEach(call -> assertThat(call.toolCallId().length()).isLessThan(129));
            told.all(SubagentEvent.Started.class)
                    .forEach(child -> assertThat(child.subagentRunId().length()).isLessThan(129));
        }
    }

    /** Any events in any order: a server that forgets everything between two events emits the same. */
    @Test
    void stateIsRestoredFromTheLogAlone() {
        for (int seed = 0; seed < 300; seed++) {
            List<JsonNode> script = json(script(new Random(seed)));
            Outcome forgetful = tell(script, true);
            Outcome straight = tell(script, false);
            assertThat(forgetful.lines()).as("seed " + seed).isEqualTo(straight.lines());
            assertThat(forgetful.effects()).as("seed " + seed).isEqualTo(straight.effects());
            assertThat(straight.lines().toString()).as("seed " + seed).doesNotContain("illegal_event");
        }
    }

    private static List<Map<String, Object>> script(Random random) {
        List<String> runs = List.of(RUN, RUN, "m1", "m2", "m3");
        List<String> names = allNames();
        List<Map<String, Object>> script = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String run = runs.get(random.nextInt(runs.size()));
            String name = random.nextInt(3) == 0
                    ? names.get(random.nextInt(names.size()))
                    : List.of("RunContent", "ToolCallStarted", "ToolCallCompleted", "ReasoningStep")
                            .get(random.nextInt(4));
            boolean ends = name.endsWith("RunCompleted") || name.endsWith("RunError") || name.endsWith("RunCancelled");
            if (ends && run.equals(RUN) && i < 35) {
                continue;
            }
            String call = random.nextInt(4) == 0 ? null : "call_" + random.nextInt(3);
            Map<String, Object> event = event(name, run, "tool", tool(call, "t" + random.nextInt(2), null, i, false));
            if (random.nextBoolean()) {
                event.put("content", "č" + i + " ");
            }
            if (random.nextBoolean()) {
                event.put("reasoning_content", "ř" + i + " ");
            }
            if (!run.equals(RUN)) {
                event.put("parent_run_id", runs.get(random.nextInt(runs.size())));
            }
            script.add(event);
        }
        return script;
    }
}
