package dev.parley.agents.remote;

import dev.parley.protocol.Json;
import java.util.Set;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Repairs common faults in single events from remote agents, if the meaning of the event is plain: nulls, odd
 * timestamps, results that are objects, and the THINKING events of AG-UI before 1.0.
 */
final class EventRepair {
    private static final Set<String> ROLES = Set.of("developer", "system", "assistant", "user");
    private static final long MAX_WHOLE = (1L << 53) - 1;

    private final Supplier<String> fresh;
    private String span;
    private String thought;

    /** @param fresh supplies ids for events without one */
    EventRepair(Supplier<String> fresh) {
        this.fresh = fresh;
        this.span = fresh.get();
        this.thought = span;
    }

    void repair(ObjectNode event) {
        rename(event);
        String type = event.path("type").asString("");
        JsonNode timestamp = event.path("timestamp");
        if (!timestamp.isIntegralNumber()
                || !timestamp.canConvertToLong()
                || Math.abs(timestamp.longValue()) > MAX_WHOLE) {
            event.remove("timestamp");
        }
        if (!event.path("metadata").isObject()) {
            event.remove("metadata");
        }
        for (String reference : Set.of("parentMessageId", "subagentRunId", "parentSubagentRunId", "parentToolCallId")) {
            if (event.path(reference).asString("").isEmpty()) {
                event.remove(reference);
            }
        }
        switch (type) {
            case "TEXT_MESSAGE_START", "TEXT_MESSAGE_CHUNK" -> {
                if (!ROLES.contains(event.path("role").asString(""))) {
                    event.remove("role");
                }
            }
            case "TEXT_MESSAGE_CONTENT", "TOOL_CALL_ARGS", "REASONING_MESSAGE_CONTENT" -> text(event, "delta");
            case "TOOL_CALL_RESULT" -> {
                event.put("role", "tool");
                result(event);
            }
            case "REASONING_MESSAGE_START" -> event.put("role", "reasoning");
            default -> {}
        }
    }

    private void result(ObjectNode event) {
        if (event.path("messageId").asString("").isEmpty()) {
            event.put("messageId", fresh.get());
        }
        content(event);
    }

    /**
     * Makes the content of a result a text, unless the content is a list of parts. Values other than texts are written
     * as JSON.
     */
    static void content(ObjectNode holder) {
        JsonNode content = holder.path("content");
        boolean parts = content.isArray()
                && content.valueStream().allMatch(part -> part.path("type").isString());
        if (!parts) {
            text(holder, "content");
        }
    }

    /**
     * Makes a field a text. A null or absent value becomes an empty text; values other than texts are written as JSON.
     */
    static void text(ObjectNode holder, String member) {
        JsonNode value = holder.path(member);
        if (value.isMissingNode() || value.isNull()) {
            holder.put(member, "");
        } else if (!value.isString()) {
            holder.put(member, Json.MAPPER.writeValueAsString(value));
        }
    }

    private void rename(ObjectNode event) {
        switch (event.path("type").asString("")) {
            case "THINKING_START" -> {
                span = fresh.get();
                become(event, "REASONING_START", span);
            }
            case "THINKING_END" -> become(event, "REASONING_END", span);
            case "THINKING_TEXT_MESSAGE_START" -> {
                thought = fresh.get();
                become(event, "REASONING_MESSAGE_START", thought);
            }
            case "THINKING_TEXT_MESSAGE_CONTENT" -> become(event, "REASONING_MESSAGE_CONTENT", thought);
            case "THINKING_TEXT_MESSAGE_END" -> become(event, "REASONING_MESSAGE_END", thought);
            default -> {}
        }
    }

    private static void become(ObjectNode event, String type, String id) {
        event.put("type", type);
        if (!event.path("messageId").isString()) {
            event.put("messageId", id);
        }
    }
}
