package dev.parley.sessions;

import dev.parley.protocol.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The parts of a message that pair calls with their results.
 *
 * @param run the run that the message belongs to; null for none
 * @param calls the ids of the calls that the message makes; a call without an id has an empty id, which no result can
 *     name
 * @param answers the ids of the calls whose results the message contains
 */
record ToolTurn(@Nullable String run, boolean isResult, List<String> calls, List<String> answers) {
    static final String TOOL = "tool";

    /** Reads the parts from a message of Agno, and skips its other fields. */
    static ToolTurn of(@Nullable String run, byte[] message) {
        String role = "";
        Optional<String> answered = Optional.empty();
        List<String> calls = List.of();
        List<String> merged = List.of();
        try (JsonParser parser = Json.MAPPER.createParser(message)) {
            parser.nextToken();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String member = parser.currentName();
                JsonToken value = parser.nextToken();
                if (member.equals("role") && value == JsonToken.VALUE_STRING) {
                    role = parser.getString();
                } else if (member.equals("tool_call_id") && value == JsonToken.VALUE_STRING) {
                    answered = Optional.of(parser.getString());
                } else if (member.equals("tool_calls") && value == JsonToken.START_ARRAY) {
                    List<CallEntry> entries = readEntries(parser);
                    calls = entries.stream().map(CallEntry::id).toList();
                    merged = entries.stream().map(CallEntry::toolCallId).toList();
                } else {
                    parser.skipChildren();
                }
            }
        }
        if (!role.equals(TOOL)) {
            return new ToolTurn(run, false, calls, List.of());
        }
        // Older versions of Agno put the results of several calls into one message.
        return new ToolTurn(run, true, List.of(), answered.map(List::of).orElse(merged));
    }

    private record CallEntry(String id, String toolCallId) {}

    private static List<CallEntry> readEntries(JsonParser parser) {
        List<CallEntry> entries = new ArrayList<>();
        JsonToken value;
        while ((value = parser.nextToken()) != JsonToken.END_ARRAY) {
            if (value == JsonToken.START_OBJECT) {
                entries.add(readEntry(parser));
            } else {
                parser.skipChildren();
            }
        }
        return entries;
    }

    private static CallEntry readEntry(JsonParser parser) {
        String id = "";
        String toolCallId = "";
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String member = parser.currentName();
            JsonToken value = parser.nextToken();
            if (member.equals("id") && value == JsonToken.VALUE_STRING) {
                id = parser.getString();
            } else if (member.equals("tool_call_id") && value == JsonToken.VALUE_STRING) {
                toolCallId = parser.getString();
            } else {
                parser.skipChildren();
            }
        }
        return new CallEntry(id, toolCallId);
    }
}
