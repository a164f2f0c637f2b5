package dev.parley.assembly;

import dev.parley.protocol.Json;
import dev.parley.protocol.agui.Content;
import dev.parley.protocol.agui.ContentPart;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.ToolCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the messages that a run's client supplied as the text of one quotation, each with its role in a header. If the
 * messages exceed their room, the oldest messages are left out first, and the app's prompts last.
 */
final class GivenBlock {
    private static final String EMPTY = "(empty)";

    private GivenBlock() {}

    /** A message in text form. */
    private record Line(String text, boolean prompt) {}

    /**
     * Empty if all messages are empty.
     *
     * @param tokens the maximum number of tokens in the text
     */
    static Optional<String> of(List<Message> messages, int tokens) {
        List<Line> lines = messages.stream()
                .map(message -> new Line(line(message), isPrompt(message)))
                .filter(line -> !line.text().isEmpty())
                .toList();
        List<Line> kept = new ArrayList<>(lines);
        long room = tokens
                - lines.stream()
                        .mapToLong(line -> TokenEstimate.in(line.text()))
                        .sum();
        while (room < 0 && kept.size() > 1) {
            room += TokenEstimate.in(kept.remove(oldest(kept)).text());
        }
        String left = kept.size() == lines.size()
                ? ""
                : "(left out for lack of room: " + (lines.size() - kept.size()) + " of " + lines.size()
                        + " messages)\n";
        return lines.isEmpty()
                ? Optional.empty()
                : Optional.of(left
                        + kept.stream()
                                .map(line -> shortened(line.text(), tokens))
                                .collect(Collectors.joining("\n")));
    }

    /** The index of the line to leave out next. */
    private static int oldest(List<Line> lines) {
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).prompt()) {
                return i;
            }
        }
        return 0;
    }

    private static String shortened(String text, int tokens) {
        return Quoted.shortened(text, TokenEstimate.charactersIn(text, tokens));
    }

    private static boolean isPrompt(Message message) {
        return message instanceof Message.SystemPrompt || message instanceof Message.Developer;
    }

    private static String line(Message message) {
        return switch (message) {
            case Message.User user -> headed("user", user.name(), text(user.content()));
            case Message.Assistant answer -> assistant(answer);
            case Message.Tool tool ->
                headedAlways(
                        "tool",
                        tool.toolCallId(),
                        tool.error() == null
                                ? text(tool.content())
                                : text(tool.content()) + " (error: " + tool.error() + ")");
            case Message.SystemPrompt prompt -> headed("system", prompt.name(), prompt.content());
            case Message.Developer prompt -> headed("developer", prompt.name(), prompt.content());
            case Message.Reasoning thought -> headed("reasoning", null, thought.content());
            case Message.Activity activity ->
                headed("activity", activity.activityType(), Json.MAPPER.writeValueAsString(activity.content()));
        };
    }

    private static String assistant(Message.Assistant message) {
        List<String> lines = new ArrayList<>();
        if (message.content() != null && !message.content().isBlank()) {
            lines.add(headed("assistant", message.name(), message.content()));
        }
        for (ToolCall call : message.toolCalls()) {
            lines.add(headedAlways(
                    "assistant calls",
                    call.function().name() + " " + call.id(),
                    call.function().arguments()));
        }
        return String.join("\n", lines);
    }

    /** One message in a form that cannot hide a second message; empty if the message has no text. */
    private static String headed(String role, @Nullable String name, String text) {
        String quoted = quoted(text);
        return quoted.isBlank() ? "" : header(role, name) + quoted;
    }

    /**
     * A call or a result. Both stay even without a text, because a call needs its result and a result needs its call.
     */
    private static String headedAlways(String role, @Nullable String name, String text) {
        String quoted = quoted(text);
        return header(role, name) + (quoted.isBlank() ? EMPTY : quoted);
    }

    private static String header(String role, @Nullable String name) {
        String neutral = name == null ? "" : TurnNames.neutral(name);
        return "[" + (neutral.isEmpty() ? role : role + " " + neutral) + "]: ";
    }

    private static String quoted(String text) {
        return Quoted.indented(Quoted.withoutHeaders(Quoted.clean(text)));
    }

    private static String text(Content content) {
        return switch (content) {
            case Content.Text text -> text.text();
            case Content.Parts parts ->
                parts.parts().stream()
                        .map(part -> switch (part) {
                            case ContentPart.Text text -> text.text();
                            case ContentPart.Binary file ->
                                Rendering.named("file", file.filename(), file.mimeType())
                                        .text();
                            case ContentPart.Media media ->
                                Rendering.named(
                                                "file",
                                                null,
                                                media.source().mimeType() == null
                                                        ? media.medium().toString()
                                                        : media.source().mimeType())
                                        .text();
                        })
                        .collect(Collectors.joining("\n"));
        };
    }
}
