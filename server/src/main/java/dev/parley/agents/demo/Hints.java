package dev.parley.agents.demo;

import dev.parley.protocol.Json;
import dev.parley.protocol.agui.Common;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The content of a card that a frontend may show: the {@code ui_hints} of a message. The texts are short, because
 * the size of metadata is limited.
 */
record Hints(Status status, String title, String body, List<Item> items) {
    private static final int MAX_LENGTH = 200;

    Hints {
        title = WordPieces.shortened(title, MAX_LENGTH);
        body = WordPieces.shortened(body, MAX_LENGTH);
        items = List.copyOf(items);
    }

    enum Status {
        INFO,
        SUCCESS
    }

    record Item(String label, String value) {}

    /** The hints as metadata of an agent's message. */
    Common ofAnswer() {
        return under("worker_agent_output");
    }

    /** The hints as metadata of a tool's result. */
    Common ofResult() {
        return under("tool_agent_output");
    }

    private Common under(String output) {
        ObjectNode metadata = Json.MAPPER.createObjectNode();
        ObjectNode hints = metadata.putObject(output).putObject("ui_hints");
        hints.put("status", status.name().toLowerCase(Locale.ROOT));
        hints.put("title", title);
        hints.put("body", body);
        if (!items.isEmpty()) {
            ArrayNode pairs = hints.putArray("items");
            items.forEach(item -> pairs.addObject().put("label", item.label()).put("value", item.value()));
        }
        return Common.metadata(metadata);
    }
}
