package dev.parley.runs;

import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.runs.guard.Transcript;
import dev.parley.runs.lifecycle.Run;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The state of a run at a position of its thread, for a viewer who joins in the middle.
 *
 * @param position the position up to which the snapshot contains events
 * @param items the items that the run has streamed but not yet stored as messages; empty if the run is over
 * @param open the events that reopen the run's open spans, in order
 * @param state the thread's shared state with the run's changes; empty if there is none
 * @param ending the run's terminal event; empty until the run is over
 */
public record RunSnapshot(
        Run run,
        long position,
        List<Transcript.Item> items,
        List<AguiEvent> open,
        Optional<JsonNode> state,
        Optional<RunEvent> ending) {
    public RunSnapshot {
        items = List.copyOf(items);
        open = List.copyOf(open);
    }
}
