package dev.parley.assembly;

import dev.parley.protocol.agui.Content;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.ToolCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A context as AG-UI messages (<a href="https://docs.ag-ui.com/concepts/messages">docs.ag-ui.com</a>), for agents that
 * speak AG-UI. The messages contain neither images nor the app's context entries, because such an agent receives both
 * separately and unchanged.
 */
public final class AguiContext {
    private AguiContext() {}

    public static List<Message> of(List<ContextMessage> context) {
        List<Message> messages = new ArrayList<>();
        for (ContextMessage message : context) {
            if (message instanceof ContextMessage.SystemBlock
                    && message.origin().seqs().isEmpty()) {
                continue;
            }
            // A message that exists only in the context also needs an id, and the id must be the same each time.
            String id = Objects.requireNonNullElse(message.origin().id(), "context-" + messages.size());
            messages.add(
                    switch (message) {
                        case ContextMessage.SystemBlock system ->
                            new Message.SystemPrompt("above-" + id, system.text(), null, null, null, null);
                        case ContextMessage.User user -> new Message.User(id, text(user));
                        case ContextMessage.Assistant assistant ->
                            new Message.Assistant(
                                    id,
                                    assistant.text(),
                                    null,
                                    assistant.calls().stream()
                                            .map(call -> new ToolCall(call.id(), call.tool(), call.arguments()))
                                            .toList(),
                                    null,
                                    null,
                                    null);
                        case ContextMessage.ToolResult result ->
                            new Message.Tool(
                                    id,
                                    new Content.Text(result.text()),
                                    result.callId(),
                                    result.failed() ? result.text() : null,
                                    null,
                                    null,
                                    null);
                    });
        }
        return messages;
    }

    private static String text(ContextMessage.User user) {
        return user.parts().stream()
                .filter(ContextMessage.Part.Text.class::isInstance)
                .map(part -> ((ContextMessage.Part.Text) part).text())
                .collect(Collectors.joining("\n"));
    }
}
