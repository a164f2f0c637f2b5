package dev.parley.protocol.agui;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Reads messages, their content and their tool calls. */
final class MessageReader {
    private static final List<String> ROLES =
            List.of("user", "assistant", "system", "tool", "developer", "reasoning", "activity");

    private static final List<String> PART_TYPES = Stream.concat(
                    Stream.of("text", "binary"),
                    Arrays.stream(ContentPart.Medium.values()).map(ContentPart.Medium::toString))
            .toList();

    private MessageReader() {}

    static Optional<Message> message(CheckedNode node) {
        if (!node.holdsMembers()) {
            return Optional.empty();
        }
        String id = node.at("id").text();
        CheckedNode role = node.at("role");
        String name = role.text();
        if (!role.isText()) {
            return Optional.empty();
        }
        ObjectNode metadata = node.at("metadata").optionalObject();
        String subagent = node.at("subagentRunId").optionalText();
        CheckedNode content = node.at("content");
        return Optional.ofNullable(
                switch (name) {
                    case "user" ->
                        new Message.User(
                                id, content(content), optional(node, "name"), encrypted(node), metadata, subagent);
                    case "assistant" ->
                        new Message.Assistant(
                                id,
                                content.optionalText(),
                                optional(node, "name"),
                                node.at("toolCalls").listOrEmpty(MessageReader::toolCall),
                                encrypted(node),
                                metadata,
                                subagent);
                    case "tool" ->
                        new Message.Tool(
                                id,
                                content(content),
                                node.at("toolCallId").text(),
                                optional(node, "error"),
                                encrypted(node),
                                metadata,
                                subagent);
                    case "system" ->
                        new Message.SystemPrompt(
                                id, content.text(), optional(node, "name"), encrypted(node), metadata, subagent);
                    case "developer" ->
                        new Message.Developer(
                                id, content.text(), optional(node, "name"), encrypted(node), metadata, subagent);
                    case "reasoning" -> new Message.Reasoning(id, content.text(), encrypted(node), metadata, subagent);
                    case "activity" ->
                        new Message.Activity(id, node.at("activityType").text(), content.object(), metadata, subagent);
                    default -> {
                        role.mustBeOneOf(ROLES);
                        yield null;
                    }
                });
    }

    /** A text, or a list of parts. */
    static Content content(CheckedNode node) {
        if (!node.isPresent() || node.isText()) {
            return new Content.Text(node.text());
        }
        if (!node.isList()) {
            node.fault("must be a text or a list of parts");
            return new Content.Text("");
        }
        return new Content.Parts(node.list(MessageReader::part));
    }

    private static Optional<ContentPart> part(CheckedNode node) {
        if (!node.holdsMembers()) {
            return Optional.empty();
        }
        CheckedNode type = node.at("type");
        String name = type.text();
        if (!type.isText()) {
            return Optional.empty();
        }
        return switch (name) {
            case "text" ->
                Optional.of(new ContentPart.Text(
                        node.at("text").text(),
                        optional(node, "id"),
                        node.at("metadata").optionalAny()));
            case "binary" ->
                Optional.of(new ContentPart.Binary(
                        node.at("mimeType").text(),
                        optional(node, "id"),
                        optional(node, "url"),
                        optional(node, "data"),
                        optional(node, "filename")));
            case "image" -> media(ContentPart.Medium.IMAGE, node);
            case "audio" -> media(ContentPart.Medium.AUDIO, node);
            case "video" -> media(ContentPart.Medium.VIDEO, node);
            case "document" -> media(ContentPart.Medium.DOCUMENT, node);
            default -> {
                type.mustBeOneOf(PART_TYPES);
                yield Optional.empty();
            }
        };
    }

    private static Optional<ContentPart> media(ContentPart.Medium medium, CheckedNode node) {
        return source(node.at("source"))
                .map(source -> new ContentPart.Media(
                        medium,
                        source,
                        optional(node, "id"),
                        node.at("metadata").optionalAny()));
    }

    private static Optional<ContentPart.Source> source(CheckedNode node) {
        if (!node.holdsMembers()) {
            return Optional.empty();
        }
        CheckedNode type = node.at("type");
        String name = type.text();
        if (!type.isText()) {
            return Optional.empty();
        }
        String value = node.at("value").text();
        return Optional.ofNullable(
                switch (name) {
                    case "data" ->
                        new ContentPart.InlineSource(value, node.at("mimeType").text());
                    case "url" -> new ContentPart.UrlSource(value, optional(node, "mimeType"));
                    case "file" ->
                        new ContentPart.FileSource(value, optional(node, "provider"), optional(node, "mimeType"));
                    default -> {
                        type.mustBeOneOf(List.of("data", "url", "file"));
                        yield null;
                    }
                });
    }

    private static Optional<ToolCall> toolCall(CheckedNode node) {
        if (!node.holdsMembers()) {
            return Optional.empty();
        }
        node.at("type").constant("function");
        String id = node.at("id").text();
        CheckedNode function = node.at("function");
        if (!function.holdsMembers()) {
            return Optional.empty();
        }
        return Optional.of(new ToolCall(
                id,
                new ToolCall.Function(
                        function.at("name").text(), function.at("arguments").text()),
                encrypted(node),
                node.at("metadata").optionalObject()));
    }

    private static @Nullable String encrypted(CheckedNode node) {
        return optional(node, "encryptedValue");
    }

    private static @Nullable String optional(CheckedNode node, String member) {
        return node.at(member).optionalText();
    }
}
