package dev.parley.sdk;

import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.RunEvent;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * An AG-UI event and where it stands.
 *
 * @param position in its thread, growing from event to event; what was streamed piece by piece may come as one later, at
 *     the position of the last piece
 */
public record PlacedEvent(long position, AguiEvent event) {
    /** The run that it belongs to, by the name that its client gave it; empty for what happens beside the runs. */
    public Optional<String> runId() {
        ObjectNode metadata = event.common().metadata();
        return metadata == null
                ? Optional.empty()
                : Optional.ofNullable(metadata.path("runId").asString(null));
    }

    /** Whether it is the last one of its run. */
    public boolean isTerminal() {
        return event instanceof RunEvent.Finished || event instanceof RunEvent.Failed;
    }

    /** What to read again, if the server could not go on where it was asked to. */
    public Optional<Resync> resync() {
        return Resync.read(this);
    }
}
