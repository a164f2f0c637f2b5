package dev.parley.runs.lifecycle;

import dev.parley.basics.Text;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.AguiJson;
import dev.parley.protocol.agui.ReasoningEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.protocol.agui.ToolEvent;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes a run's events as lines of JSON, with the run's name in their metadata. Events other than deltas get a
 * timestamp. Deltas get none, because there are too many of them.
 */
public final class RunLines {
    private static final String RUN_ID = "runId";

    private final String runId;
    private final String metadata;

    public RunLines(String runId) {
        this.runId = runId;
        this.metadata = "\"metadata\":" + Json.MAPPER.writeValueAsString(Map.of(RUN_ID, runId)) + "}";
    }

    public String write(AguiEvent event, long millis) {
        boolean stamped = event.common().timestamp() == null && !isDelta(event);
        if (event.common().metadata() == null) {
            // Nearly all events have no metadata. Their text is extended without parsing.
            String text = Text.mended(AguiJson.write(event));
            return text.substring(0, text.length() - 1) + (stamped ? ",\"timestamp\":" + millis + "," : ",") + metadata;
        }
        ObjectNode tree = (ObjectNode) Json.MAPPER.readTree(AguiJson.write(event));
        if (stamped) {
            tree.put("timestamp", millis);
        }
        ((ObjectNode) tree.get("metadata")).put(RUN_ID, runId);
        return Text.mended(Json.MAPPER.writeValueAsString(tree));
    }

    /** The event of a line, including its timestamp. */
    public static AguiEvent read(String line) {
        ObjectNode tree = (ObjectNode) Json.MAPPER.readTree(line);
        if (tree.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove(RUN_ID);
            if (metadata.isEmpty()) {
                tree.remove("metadata");
            }
        }
        JsonNode read = tree;
        return AguiJson.readEvent(read, "");
    }

    static boolean isDelta(AguiEvent event) {
        return event instanceof TextEvent.Content
                || event instanceof ToolEvent.Args
                || event instanceof ReasoningEvent.MessageContent;
    }
}
