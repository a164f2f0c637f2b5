package dev.parley.agents.demo;

import dev.parley.agents.Turn;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.Common;
import dev.parley.protocol.agui.StateEvent;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Replaces the shared state by a snapshot event, then changes it by a delta event. */
final class StateDemo {
    /** Limit of levels, far below the JSON limit, because the event adds levels around the state. */
    private static final int MAX_DEPTH = Json.MAX_DEPTH / 2;

    private StateDemo() {}

    static void set(Turn turn, String argument, DemoVoice voice) throws InterruptedException {
        Optional<ObjectNode> state =
                JsonObjects.in(argument).filter(object -> !JsonObjects.isDeeper(object, MAX_DEPTH));
        if (state.isEmpty()) {
            voice.answer("That is no state I can set: I need one JSON object with at most " + MAX_DEPTH
                    + " levels, such as /state {\"count\": 1}.");
            return;
        }
        ArrayNode delta = Json.MAPPER.createArrayNode();
        delta.addObject().put("op", "add").put("path", "/updated").put("value", true);
        voice.enter(DemoStage.EXECUTION);
        voice.emit(new StateEvent.Snapshot(state.get()));
        voice.emit(new StateEvent.Delta(delta));
        voice.say("The state is what you gave me, and says that it was updated.", Common.NONE);
        voice.leave(DemoStage.EXECUTION);
    }
}
