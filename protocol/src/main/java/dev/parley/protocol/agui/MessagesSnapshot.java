package dev.parley.protocol.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/** The whole conversation. The snapshot itself belongs to no subagent, but a message in it may. */
public record MessagesSnapshot(
        List<Message> messages, @JsonUnwrapped Common common) implements AguiEvent {
    public MessagesSnapshot {
        messages = List.copyOf(messages);
    }

    public MessagesSnapshot(List<Message> messages) {
        this(messages, Common.NONE);
    }

    @Override
    public String type() {
        return "MESSAGES_SNAPSHOT";
    }
}
