package dev.parley.sessions;

import static dev.parley.sessions.AgnoEvents.content;
import static dev.parley.sessions.AgnoEvents.event;
import static dev.parley.sessions.AgnoEvents.json;
import static dev.parley.sessions.AgnoEvents.tool;
import static dev.parley.sessions.TranslatedRun.RUN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.PassedEvent;
import dev.parley.protocol.agui.SubagentEvent;
import dev.parley.protocol.agui.ToolEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Agno's events of every name, form and order: none breaks the run, and a restart in between changes no event. */
class AgnoDialectFuzzTest {
    /** A post of the largest size: no event is read by reading the earlier ones again. */
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
        TranslatedRun translated =
                assertTimeoutPreemptively(Duration.ofSeconds(10), () -> TranslatedRun.of(all, false));
        assertThat(translated.all(ToolEvent.Result.class)).hasSize(6_000);
        assertThat(translated.all(ToolEvent.Start.class)).hasSize(6_000);
    }

    static List<String> allNames() {
        return AgnoEvents.allNames().toList();
    }

    @ParameterizedTest
    @MethodSource("allNames")
    void everyEventIsTaken(String name) {
        for (String run : new String[] {RUN, "member", null}) {
            TranslatedRun translated = TranslatedRun.of(
                    event(name, run, "content", "c", "reasoning_content", "r", "tool", tool("t", "n", null, 1, false)));
            assertThat(translated.lines().toString()).doesNotContain("illegal_event");
            TranslatedRun bare = TranslatedRun.of(event(name, run));
            assertThat(bare.lines().toString()).doesNotContain("illegal_event");
        }
    }

    @Test
    void unknownEventIsPassedOnUnchanged() {
        TranslatedRun translated = TranslatedRun.of(
                event("SomethingNew", RUN, "détail", List.of(1, Map.of("a", "b"))),
                event("TeamTaskCreated", RUN, "task", Map.of("id", 3)),
                event("CustomEvent", "m1", "tool_call_id", "x"));
        assertThat(translated.all(PassedEvent.Custom.class))
                .extracting(PassedEvent.Custom::name)
                .containsExactly("SomethingNew", "TeamTaskCreated", "CustomEvent");
        assertThat(translated
                        .all(PassedEvent.Custom.class)
                        .getFirst()
                        .value()
                        .at("/détail/1/a")
                        .asString())
                .isEqualTo("b");
        assertThat(translated.all(PassedEvent.Custom.class).getLast().subagentRunId())
                .isEqualTo("m1");
        JsonNode large = TranslatedRun.of(event("CustomEvent", RUN, "blob", "x".repeat(100_000)))
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
        assertThatThrownBy(() -> new AgnoDialect().requireReadable(Json.MAPPER.readTree(json), "events[2]"))
                .isInstanceOf(ProblemException.class);
    }

    /** Members of the wrong type and ids of any length and form may be ignored; they break nothing. */
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
            TranslatedRun translated = TranslatedRun.of(event, nested, event, content(RUN, "still here"));
            assertThat(translated.lines().toString()).doesNotContain("illegal_event");
            translated
                    .all(ToolEvent.Start.class)
                    .forEach(call -> assertThat(call.toolCallId().length()).isLessThan(129));
            translated
                    .all(SubagentEvent.Started.class)
                    .forEach(child -> assertThat(child.subagentRunId().length()).isLessThan(129));
        }
    }

    /** Random events in random order: a state restored from the log before each event emits the same events. */
    @Test
    void stateIsRestoredFromTheLogAlone() {
        for (int seed = 0; seed < 300; seed++) {
            List<JsonNode> script = json(script(new Random(seed)));
            TranslatedRun forgetful = TranslatedRun.of(script, true);
            TranslatedRun straight = TranslatedRun.of(script, false);
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
