package dev.parley.runs;

import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.runs.guard.Transcript;
import dev.parley.runs.lifecycle.Run;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A run as it stands at a position of its thread: the facts that a viewer needs who joins in the middle.
 *
 * @param position the snapshot holds events up to this position
 * @param items the items that the run has streamed and not yet left in the log as messages; empty once it is over
 * @param open the events that reopen its open spans, in order
 * @param state the thread's state with the run's changes; empty without one
 * @param ending the run's terminal event, once it is over
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
