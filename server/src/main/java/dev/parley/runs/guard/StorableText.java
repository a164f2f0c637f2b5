package dev.parley.runs.guard;

import dev.parley.basics.Text;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.AttributedEvent;
import dev.parley.protocol.agui.Content;
import dev.parley.protocol.agui.MessagesSnapshot;
import dev.parley.protocol.agui.ReasoningEvent;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.protocol.agui.ToolEvent;
import dev.parley.protocol.agui.UnknownEvent;
import java.util.HashMap;
import java.util.Map;

/**
 * Makes streamed text storable. Some agents cut their text in the middle of a surrogate pair (an emoji). The first half
 * then waits for the next delta. Invalid text becomes U+FFFD.
 */
final class StorableText {
    /** The first halves that wait for a delta, by kind and id of their span. */
    private final Map<Waiting, Character> halves = new HashMap<>();

    private record Waiting(Span.Kind kind, String id) {}

    AguiEvent of(AguiEvent event) {
        return switch (event) {
            case TextEvent.Content text -> {
                String delta = whole(Span.Kind.TEXT, text.messageId(), text.delta());
                yield delta.equals(text.delta())
                        ? text
                        : new TextEvent.Content(text.messageId(), delta, text.subagentRunId(), text.common());
            }
            case ToolEvent.Args args -> {
                String delta = whole(Span.Kind.TOOL_CALL, args.toolCallId(), args.delta());
                yield delta.equals(args.delta())
                        ? args
                        : new ToolEvent.Args(args.toolCallId(), delta, args.subagentRunId(), args.common());
            }
            case ReasoningEvent.MessageContent text -> {
                String delta = whole(Span.Kind.REASONING_MESSAGE, text.messageId(), text.delta());
                yield delta.equals(text.delta())
                        ? text
                        : new ReasoningEvent.MessageContent(
                                text.messageId(), delta, text.subagentRunId(), text.common());
            }
            case ToolEvent.Result result
            when result.content() instanceof Content.Text text && !Text.isStorable(text.text()) ->
                new ToolEvent.Result(
                        result.messageId(),
                        result.toolCallId(),
                        new Content.Text(Text.mended(text.text())),
                        result.role(),
                        result.subagentRunId(),
                        result.common());
            // A first half at the end of a text is dropped, because it must not be joined to text that continues the
            // item later.
            case TextEvent.End end -> forget(Span.Kind.TEXT, end.messageId(), end);
            case ToolEvent.End end -> forget(Span.Kind.TOOL_CALL, end.toolCallId(), end);
            case ReasoningEvent.MessageEnd end -> forget(Span.Kind.REASONING_MESSAGE, end.messageId(), end);
            case RunEvent _, MessagesSnapshot _, AttributedEvent _, UnknownEvent _ -> event;
        };
    }

    private AguiEvent forget(Span.Kind kind, String id, AguiEvent end) {
        if (!halves.isEmpty()) {
            halves.remove(new Waiting(kind, id));
        }
        return end;
    }

    private String whole(Span.Kind kind, String id, String delta) {
        if (delta.isEmpty() || halves.isEmpty() && Text.isStorable(delta)) {
            return delta;
        }
        Waiting waiting = new Waiting(kind, id);
        Character first = halves.remove(waiting);
        String text = first == null ? delta : first + delta;
        char last = text.charAt(text.length() - 1);
        if (Character.isHighSurrogate(last)) {
            halves.put(waiting, last);
            text = text.substring(0, text.length() - 1);
        }
        return Text.mended(text);
    }
}
