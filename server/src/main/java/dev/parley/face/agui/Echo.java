package dev.parley.face.agui;

import dev.parley.http.Frames;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.protocol.agui.RunEvent;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes events for one client, in the client's dialect and with the client's names for the thread and the run. These
 * names may differ from the server's names.
 */
record Echo(String threadId, String runId, Dialect dialect) {
    static Echo of(RunAgentInput input) {
        return new Echo(input.threadId(), input.runId(), Dialect.of(input));
    }

    /** This echo with another name of the run. */
    Echo of(String run) {
        return new Echo(threadId, run, dialect);
    }

    /** A frame for an event that is not in the log. */
    Frames frame(AguiEvent event) {
        if (!(event instanceof RunEvent) && !dialect.adapts(event.type())) {
            return Frames.json(null, event.type(), Json.MAPPER.writeValueAsBytes(event));
        }
        return write(null, dialect.adapt(event));
    }

    /** A frame for an event of the log, with its position. */
    Frames frame(long position, String line) {
        return write(Long.toString(position), dialect.adapt((ObjectNode) Json.MAPPER.readTree(line)));
    }

    private Frames write(@Nullable String id, ObjectNode event) {
        if (event.has("threadId")) {
            event.put("threadId", threadId).put("runId", runId);
        }
        String type = event.path("type").asString();
        Frames frame = Frames.json(id, type, Json.MAPPER.writeValueAsBytes(event));
        return isTerminal(type) ? frame.asLast() : frame;
    }

    static boolean isTerminal(String type) {
        return type.equals("RUN_FINISHED") || type.equals("RUN_ERROR");
    }

    /**
     * The frame for a client whose connection ends while its run goes on. The frame does not end the run, and is not in
     * the log.
     */
    Frames detached() {
        return frame(new RunEvent.Failed(
                "The connection ended before the run did; connect again to follow it.", "detached"));
    }
}
