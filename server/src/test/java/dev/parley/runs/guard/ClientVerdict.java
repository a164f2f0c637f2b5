package dev.parley.runs.guard;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The verdict of a client on a whole stream: a plain transcription of the rules of @ag-ui/client's verifyEvents onto
 * the JSON that it receives. It shares no code with the guard, so that a mistake in one shows against the other.
 */
public final class ClientVerdict {
    /** Members with arbitrary JSON, null included. */
    private static final Set<String> FREE = Set.of("metadata", "rawEvent", "snapshot", "value", "event", "result");

    private final Set<String> messages = new HashSet<>();
    private final Set<String> calls = new HashSet<>();
    private final Set<String> spans = new HashSet<>();
    private final Set<String> thoughts = new HashSet<>();
    private final Set<List<@Nullable String>> steps = new HashSet<>();
    private final Set<String> subagents = new HashSet<>();
    private final Set<String> ended = new HashSet<>();
    private final Map<String, Optional<String>> messageOwners = new HashMap<>();
    private final Map<String, Optional<String>> callOwners = new HashMap<>();
    private final Map<String, Optional<String>> activityOwners = new HashMap<>();
    private final Map<String, Optional<String>> thoughtOwners = new HashMap<>();
    private boolean any;
    private boolean finished;
    private boolean failed;

    /** The reason why a client would give up, with the event at which it does; empty if it never does. */
    public static Optional<String> on(List<JsonNode> stream) {
        ClientVerdict client = new ClientVerdict();
        for (int i = 0; i < stream.size(); i++) {
            String fault = client.judge(stream.get(i));
            if (fault != null) {
                return Optional.of("event " + i + " " + stream.get(i) + ": " + fault);
            }
        }
        return Optional.empty();
    }

    private @Nullable String judge(JsonNode event) {
        String type = text(event, "type");
        if (failed) {
            return "after RUN_ERROR";
        }
        if (finished && !type.equals("RUN_ERROR")) {
            return "after RUN_FINISHED";
        }
        if (!any && !type.equals("RUN_STARTED") && !type.equals("RUN_ERROR")) {
            return "first";
        }
        if (any && type.equals("RUN_STARTED")) {
            return "second start";
        }
        any = true;
        if (hasNull(event)) {
            return "null";
        }
        String tag = optional(event, "subagentRunId");
        String id = text(event, "messageId");
        String call = text(event, "toolCallId");
        return switch (type) {
            case "TEXT_MESSAGE_START" -> start(messages, messageOwners, id, tag);
            case "TEXT_MESSAGE_CONTENT" -> within(messages, messageOwners, id, tag);
            case "TEXT_MESSAGE_END" -> end(messages, messageOwners, id, tag);
            case "TOOL_CALL_START" -> startCall(call, optional(event, "parentMessageId"), tag);
            case "TOOL_CALL_ARGS" -> within(calls, callOwners, call, tag);
            case "TOOL_CALL_END" -> end(calls, callOwners, call, tag);
            case "TOOL_CALL_RESULT" -> {
                messageOwners.put(id, Optional.ofNullable(tag));
                yield null;
            }
            case "REASONING_START" -> start(spans, thoughtOwners, id, tag);
            case "REASONING_MESSAGE_START" -> start(thoughts, thoughtOwners, id, tag);
            case "REASONING_MESSAGE_CONTENT" -> within(thoughts, thoughtOwners, id, tag);
            case "REASONING_MESSAGE_END" -> end(thoughts, thoughtOwners, id, tag);
            case "REASONING_END" -> end(spans, thoughtOwners, id, tag);
            case "REASONING_ENCRYPTED_VALUE" -> {
                String entity = text(event, "entityId");
                Map<String, Optional<String>> owners = text(event, "subtype").equals("tool-call")
                        ? callOwners
                        : messageOwners.containsKey(entity) ? messageOwners : thoughtOwners;
                yield disagrees(owners, entity, tag) ? "owner" : null;
            }
            case "STEP_STARTED" -> steps.add(step(event, tag)) ? null : "step open";
            case "STEP_FINISHED" -> steps.remove(step(event, tag)) ? null : "step not open";
            case "ACTIVITY_SNAPSHOT" -> {
                if (!activityOwners.containsKey(id) || event.path("replace").asBoolean(true)) {
                    activityOwners.put(id, Optional.ofNullable(tag));
                }
                yield null;
            }
            case "ACTIVITY_DELTA" -> disagrees(activityOwners, id, tag) ? "owner" : null;
            case "SUBAGENT_STARTED" -> {
                String self = text(event, "subagentRunId");
                String parent = optional(event, "parentSubagentRunId");
                if (ended.contains(self) || !subagents.add(self)) {
                    yield "subagent again";
                }
                yield parent == null || ended.contains(parent) || subagents.contains(parent) && !parent.equals(self)
                        ? null
                        : "unknown parent";
            }
            case "SUBAGENT_FINISHED", "SUBAGENT_ERROR" ->
                subagents.remove(text(event, "subagentRunId")) && ended.add(text(event, "subagentRunId"))
                        ? null
                        : "no such subagent";
            case "MESSAGES_SNAPSHOT" -> learn(event.path("messages"), true);
            case "RUN_STARTED" -> learn(event.path("input").path("messages"), false);
            case "RUN_FINISHED" -> {
                finished = true;
                yield messages.isEmpty()
                                && calls.isEmpty()
                                && spans.isEmpty()
                                && thoughts.isEmpty()
                                && steps.isEmpty()
                                && subagents.isEmpty()
                        ? null
                        : "spans are open";
            }
            case "RUN_ERROR" -> {
                failed = true;
                yield null;
            }
            case "STATE_SNAPSHOT", "STATE_DELTA", "RAW", "CUSTOM" -> null;
            default -> "unknown, or a chunk";
        };
    }

    private static @Nullable String start(
            Set<String> open, Map<String, Optional<String>> owners, String id, @Nullable String tag) {
        if (open.contains(id)) {
            return "open already";
        }
        if (disagrees(owners, id, tag)) {
            return "owner";
        }
        open.add(id);
        owners.putIfAbsent(id, Optional.ofNullable(tag));
        return null;
    }

    private static @Nullable String within(
            Set<String> open, Map<String, Optional<String>> owners, String id, @Nullable String tag) {
        return !open.contains(id) ? "not open" : disagrees(owners, id, tag) ? "owner" : null;
    }

    private static @Nullable String end(
            Set<String> open, Map<String, Optional<String>> owners, String id, @Nullable String tag) {
        String fault = within(open, owners, id, tag);
        open.remove(id);
        return fault;
    }

    private @Nullable String startCall(String id, @Nullable String parent, @Nullable String tag) {
        Optional<String> inherited = parent == null ? null : messageOwners.get(parent);
        if (inherited != null && tag != null && !inherited.equals(Optional.of(tag))) {
            return "owner of the parent message";
        }
        Optional<String> existing = callOwners.get(id);
        if (existing != null && tag == null && inherited != null && !inherited.equals(existing)) {
            return "owner of the call";
        }
        String fault = start(calls, callOwners, id, tag);
        if (fault == null && existing == null && tag == null && inherited != null) {
            callOwners.put(id, inherited);
        }
        return fault;
    }

    private @Nullable String learn(JsonNode history, boolean authoritative) {
        for (JsonNode message : history) {
            Optional<String> owner = Optional.ofNullable(optional(message, "subagentRunId"));
            Map<String, Optional<String>> owners = switch (text(message, "role")) {
                case "reasoning" -> thoughtOwners;
                case "activity" -> activityOwners;
                default -> messageOwners;
            };
            learn(owners, text(message, "id"), owner, authoritative);
            for (JsonNode call : message.path("toolCalls")) {
                learn(callOwners, text(call, "id"), owner, authoritative);
            }
        }
        return null;
    }

    private static void learn(
            Map<String, Optional<String>> owners, String id, Optional<String> owner, boolean authoritative) {
        if (authoritative || !owners.containsKey(id)) {
            owners.put(id, owner);
        }
    }

    private static boolean disagrees(Map<String, Optional<String>> owners, String id, @Nullable String tag) {
        return tag != null && owners.containsKey(id) && !owners.get(id).equals(Optional.of(tag));
    }

    private static List<@Nullable String> step(JsonNode event, @Nullable String tag) {
        List<@Nullable String> step = new ArrayList<>();
        step.add(text(event, "stepName"));
        step.add(tag);
        return step;
    }

    private static boolean hasNull(JsonNode json) {
        return json.properties().stream()
                        .filter(member -> !FREE.contains(member.getKey()))
                        .anyMatch(member -> member.getValue().isNull() || hasNull(member.getValue()))
                || json.isArray() && json.valueStream().anyMatch(item -> item.isNull() || hasNull(item));
    }

    /** Empty if it is missing. */
    private static String text(JsonNode json, String name) {
        return json.path(name).asString("");
    }

    private static @Nullable String optional(JsonNode json, String name) {
        return json.has(name) ? json.get(name).stringValue() : null;
    }
}
