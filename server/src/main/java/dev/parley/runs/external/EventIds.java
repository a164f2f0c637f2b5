package dev.parley.runs.external;

import dev.parley.basics.Text;
import dev.parley.protocol.ProblemException;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The ids in events of external agents. They become ids of messages, calls and runs, so the same limits apply. */
final class EventIds {
    private static final List<String> IDS = List.of(
            "messageId",
            "toolCallId",
            "toolCallName",
            "parentMessageId",
            "subagentRunId",
            "parentSubagentRunId",
            "parentToolCallId",
            "entityId",
            "stepName");

    private static final int MAX_LENGTH = 128;

    private EventIds() {}

    /** @param path the path of the event, such as {@code events[3]} */
    static void requireUsable(JsonNode event, String path) {
        for (String name : IDS) {
            requireOne(event.path(name), path + "." + name);
        }
        JsonNode interrupts = event.path("outcome").path("interrupts");
        for (int i = 0; i < interrupts.size(); i++) {
            requireOne(interrupts.get(i).path("id"), path + ".outcome.interrupts[" + i + "].id");
        }
    }

    private static void requireOne(JsonNode id, String field) {
        if (!id.isString()) {
            return;
        }
        String text = id.stringValue();
        if (text.isEmpty()) {
            throw ProblemException.invalidField(field, "must not be empty");
        }
        Text.requireId(field, text);
        Text.requireAtMost(field, text, MAX_LENGTH);
    }
}
