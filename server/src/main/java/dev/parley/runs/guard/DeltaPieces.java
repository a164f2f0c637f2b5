package dev.parley.runs.guard;

import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.ReasoningEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.protocol.agui.ToolEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Cuts large deltas, so that no frame of a stream is larger than its readers accept. */
public final class DeltaPieces {
    static final int MAX_DELTA = 64 * 1024;

    private DeltaPieces() {}

    public static List<AguiEvent> of(AguiEvent event) {
        return switch (event) {
            case TextEvent.Content content ->
                cut(
                        content,
                        content.delta(),
                        piece -> new TextEvent.Content(
                                content.messageId(), piece, content.subagentRunId(), content.common()));
            case ToolEvent.Args args ->
                cut(
                        args,
                        args.delta(),
                        piece -> new ToolEvent.Args(args.toolCallId(), piece, args.subagentRunId(), args.common()));
            case ReasoningEvent.MessageContent content ->
                cut(
                        content,
                        content.delta(),
                        piece -> new ReasoningEvent.MessageContent(
                                content.messageId(), piece, content.subagentRunId(), content.common()));
            default -> List.of(event);
        };
    }

    private static List<AguiEvent> cut(AguiEvent whole, String delta, Function<String, AguiEvent> piece) {
        if (delta.length() <= MAX_DELTA) {
            return List.of(whole);
        }
        List<AguiEvent> pieces = new ArrayList<>();
        for (int from = 0; from < delta.length(); ) {
            int to = Math.min(from + MAX_DELTA, delta.length());
            if (to < delta.length() && Character.isHighSurrogate(delta.charAt(to - 1))) {
                to--;
            }
            pieces.add(piece.apply(delta.substring(from, to)));
            from = to;
        }
        return pieces;
    }
}
