package dev.parley.sdk;

import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.RunEvent;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * An AG-UI event and its position.
 *
 * @param position the position in the thread, which grows from event to event. Pieces of a streamed text may later come
 *     as one event, at the position of the last piece.
 */
public record PlacedEvent(long position, AguiEvent event) {
    /** The id that the client gave to the event's run; empty for an event outside of runs. */
    public Optional<String> runId() {
        ObjectNode metadata = event.common().metadata();
        return metadata == null
                ? Optional.empty()
                : Optional.ofNullable(metadata.path("runId").asString(null));
    }

    /** True for the last event of its run. */
    public boolean isTerminal() {
        return event instanceof RunEvent.Finished || event instanceof RunEvent.Failed;
    }

    /** The paths to read again, if the server could not resume at the requested position. */
    public Optional<Resync> resync() {
        return Resync.read(this);
    }
}
