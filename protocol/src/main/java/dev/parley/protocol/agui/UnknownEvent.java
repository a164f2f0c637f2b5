package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonValue;
import tools.jackson.databind.node.ObjectNode;

/** An event of a type that AG-UI 1.0 does not have. It can be named and stored, but is never sent to clients of 1.0. */
public record UnknownEvent(String type, @JsonValue ObjectNode json) implements AguiEvent {
    @Override
    public Common common() {
        return Common.NONE;
    }
}
