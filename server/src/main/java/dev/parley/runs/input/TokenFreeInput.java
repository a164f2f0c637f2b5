package dev.parley.runs.input;

import dev.parley.protocol.agui.Content;
import dev.parley.protocol.agui.ContentPart;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.RunAgentInput;
import java.util.Optional;
import java.util.function.Function;

/** Replaces our signed URLs by bucket and path, because the stored and compared input must contain no token. */
public final class TokenFreeInput {
    private TokenFreeInput() {}

    /** @param nameIn finds the object's name in a URL of this server; empty for all other URLs */
    public static RunAgentInput of(RunAgentInput input, Function<String, Optional<String>> nameIn) {
        return BinaryBlock.in(input.messages()).isEmpty()
                ? input
                : input.withMessages(input.messages().stream()
                        .map(message -> message(message, nameIn))
                        .toList());
    }

    private static Message message(Message message, Function<String, Optional<String>> nameIn) {
        return switch (message) {
            case Message.User user ->
                new Message.User(
                        user.id(),
                        content(user.content(), nameIn),
                        user.name(),
                        user.encryptedValue(),
                        user.metadata(),
                        user.subagentRunId());
            case Message.Tool tool ->
                new Message.Tool(
                        tool.id(),
                        content(tool.content(), nameIn),
                        tool.toolCallId(),
                        tool.error(),
                        tool.encryptedValue(),
                        tool.metadata(),
                        tool.subagentRunId());
            case Message.Assistant _,
                    Message.SystemPrompt _,
                    Message.Developer _,
                    Message.Reasoning _,
                    Message.Activity _ -> message;
        };
    }

    private static Content content(Content content, Function<String, Optional<String>> nameIn) {
        return switch (content) {
            case Content.Text text -> text;
            case Content.Parts parts ->
                new Content.Parts(
                        parts.parts().stream().map(part -> part(part, nameIn)).toList());
        };
    }

    private static ContentPart part(ContentPart part, Function<String, Optional<String>> nameIn) {
        return switch (part) {
            case ContentPart.Text text -> text;
            case ContentPart.Binary binary ->
                new ContentPart.Binary(
                        binary.mimeType(),
                        binary.id(),
                        binary.url() == null ? null : named(binary.url(), nameIn),
                        binary.data(),
                        binary.filename());
            case ContentPart.Media media ->
                media.source() instanceof ContentPart.UrlSource(String url, String mimeType)
                        ? new ContentPart.Media(
                                media.medium(),
                                new ContentPart.UrlSource(named(url, nameIn), mimeType),
                                media.id(),
                                media.metadata())
                        : media;
        };
    }

    private static String named(String url, Function<String, Optional<String>> nameIn) {
        return nameIn.apply(url).orElse(url);
    }
}
