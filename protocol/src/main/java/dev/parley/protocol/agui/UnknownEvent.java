package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonValue;
import tools.jackson.databind.node.ObjectNode;

/** An event of a type that AG-UI 1.0 does not have. It can be named and kept, but no client of 1.0 should be sent it. */
public record UnknownEvent(String type, @JsonValue ObjectNode json) implements AguiEvent {
    @Override
    public Common common() {
        return Common.NONE;
    }
}
