package dev.parley.runs;

import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.runs.guard.Transcript;
import dev.parley.runs.lifecycle.Run;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A run as it stands at a position of its thread: what somebody has to be shown who comes in the middle, so that what
 * follows makes sense.
 *
 * @param position later events are not in the snapshot
 * @param said what the run has said so far and has not left in the log yet; nothing once it is over
 * @param open the events that open again what is open, in order
 * @param state what the thread's state is with the run's changes; empty if it has none
 * @param ending the run's terminal event, once it is over
 */
public record RunSnapshot(
        Run run,
        long position,
        List<Transcript.Item> said,
        List<AguiEvent> open,
        Optional<JsonNode> state,
        Optional<RunEvent> ending) {
    public RunSnapshot {
        said = List.copyOf(said);
        open = List.copyOf(open);
    }
}
