package dev.parley.sessions;

import dev.parley.protocol.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Events as Agno's agents and teams write them. */
final class AgnoEvents {
    /** The names of 2.9, without the prefix of teams. */
    static final List<String> NAMES = List.of(
            "RunStarted",
            "RunContent",
            "RunIntermediateContent",
            "RunContentCompleted",
            "RunContinued",
            "RunCompleted",
            "RunError",
            "RunCancelled",
            "RunPaused",
            "ToolCallStarted",
            "ToolCallCompleted",
            "ToolCallError",
            "ReasoningStarted",
            "ReasoningStep",
            "ReasoningContentDelta",
            "ReasoningCompleted",
            "ModelRequestStarted",
            "ModelRequestCompleted",
            "PreHookStarted",
            "PreHookCompleted",
            "PostHookStarted",
            "PostHookCompleted",
            "MemoryUpdateStarted",
            "MemoryUpdateCompleted",
            "SessionSummaryStarted",
            "SessionSummaryCompleted",
            "ParserModelResponseStarted",
            "ParserModelResponseCompleted",
            "OutputModelResponseStarted",
            "OutputModelResponseCompleted",
            "CompressionStarted",
            "CompressionCompleted",
            "FollowupsStarted",
            "FollowupsCompleted",
            "CustomEvent");

    static final List<String> OF_TEAMS_ONLY = List.of(
            "TeamTaskIterationStarted",
            "TeamTaskIterationCompleted",
            "TeamTaskStateUpdated",
            "TeamTaskCreated",
            "TeamTaskUpdated");

    private AgnoEvents() {}

    static Stream<String> allNames() {
        return Stream.concat(NAMES.stream().flatMap(name -> Stream.of(name, "Team" + name)), OF_TEAMS_ONLY.stream());
    }

    /** @param run null for an event that names no run */
    static Map<String, Object> event(String name, @Nullable String run, Object... members) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("created_at", 1_765_280_936);
        event.put("event", name);
        event.put("nested_depth", 0);
        if (run != null) {
            event.put("run_id", run);
        }
        for (int i = 0; i < members.length; i += 2) {
            event.put((String) members[i], members[i + 1]);
        }
        return event;
    }

    static Map<String, Object> content(@Nullable String run, String delta) {
        return event("RunContent", run, "content", delta, "content_type", "str");
    }

    /** A tool's execution with all its keys, as Agno writes them, nulls included. */
    static Map<String, Object> tool(
            @Nullable String id, String name, @Nullable Object arguments, @Nullable Object result, boolean failed) {
        Map<String, Object> tool = new LinkedHashMap<>();
        tool.put("tool_call_id", id);
        tool.put("tool_name", name);
        tool.put("tool_args", arguments);
        tool.put("tool_call_error", failed ? Boolean.TRUE : null);
        tool.put("result", result);
        tool.put("child_run_id", null);
        tool.put("stop_after_tool_call", false);
        return tool;
    }

    static List<JsonNode> json(List<?> events) {
        List<JsonNode> all = new ArrayList<>();
        events.forEach(each -> all.add(Json.MAPPER.valueToTree(each)));
        return all;
    }
}
