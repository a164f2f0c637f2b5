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

    static Optional<Message> message(Place place) {
        if (!place.holdsMembers()) {
            return Optional.empty();
        }
        String id = place.at("id").text();
        Place role = place.at("role");
        String name = role.text();
        if (!role.isText()) {
            return Optional.empty();
        }
        ObjectNode metadata = place.at("metadata").optionalObject();
        String subagent = place.at("subagentRunId").optionalText();
        Place content = place.at("content");
        return Optional.ofNullable(
                switch (name) {
                    case "user" ->
                        new Message.User(
                                id, content(content), optional(place, "name"), encrypted(place), metadata, subagent);
                    case "assistant" ->
                        new Message.Assistant(
                                id,
                                content.optionalText(),
                                optional(place, "name"),
                                place.at("toolCalls").listOrEmpty(MessageReader::toolCall),
                                encrypted(place),
                                metadata,
                                subagent);
                    case "tool" ->
                        new Message.Tool(
                                id,
                                content(content),
                                place.at("toolCallId").text(),
                                optional(place, "error"),
                                encrypted(place),
                                metadata,
                                subagent);
                    case "system" ->
                        new Message.SystemPrompt(
                                id, content.text(), optional(place, "name"), encrypted(place), metadata, subagent);
                    case "developer" ->
                        new Message.Developer(
                                id, content.text(), optional(place, "name"), encrypted(place), metadata, subagent);
                    case "reasoning" -> new Message.Reasoning(id, content.text(), encrypted(place), metadata, subagent);
                    case "activity" ->
                        new Message.Activity(id, place.at("activityType").text(), content.object(), metadata, subagent);
                    default -> {
                        role.mustBeOneOf(ROLES);
                        yield null;
                    }
                });
    }

    /** A text, or a list of parts. */
    static Content content(Place place) {
        if (!place.isPresent() || place.isText()) {
            return new Content.Text(place.text());
        }
        if (!place.isList()) {
            place.fault("must be a text or a list of parts");
            return new Content.Text("");
        }
        return new Content.Parts(place.list(MessageReader::part));
    }

    private static Optional<ContentPart> part(Place place) {
        if (!place.holdsMembers()) {
            return Optional.empty();
        }
        Place type = place.at("type");
        String name = type.text();
        if (!type.isText()) {
            return Optional.empty();
        }
        return switch (name) {
            case "text" ->
                Optional.of(new ContentPart.Text(
                        place.at("text").text(),
                        optional(place, "id"),
                        place.at("metadata").optionalAny()));
            case "binary" ->
                Optional.of(new ContentPart.Binary(
                        place.at("mimeType").text(),
                        optional(place, "id"),
                        optional(place, "url"),
                        optional(place, "data"),
                        optional(place, "filename")));
            case "image" -> media(ContentPart.Medium.IMAGE, place);
            case "audio" -> media(ContentPart.Medium.AUDIO, place);
            case "video" -> media(ContentPart.Medium.VIDEO, place);
            case "document" -> media(ContentPart.Medium.DOCUMENT, place);
            default -> {
                type.mustBeOneOf(PART_TYPES);
                yield Optional.empty();
            }
        };
    }

    private static Optional<ContentPart> media(ContentPart.Medium medium, Place place) {
        return source(place.at("source"))
                .map(source -> new ContentPart.Media(
                        medium,
                        source,
                        optional(place, "id"),
                        place.at("metadata").optionalAny()));
    }

    private static Optional<ContentPart.Source> source(Place place) {
        if (!place.holdsMembers()) {
            return Optional.empty();
        }
        Place type = place.at("type");
        String name = type.text();
        if (!type.isText()) {
            return Optional.empty();
        }
        String value = place.at("value").text();
        return Optional.ofNullable(
                switch (name) {
                    case "data" ->
                        new ContentPart.InlineSource(value, place.at("mimeType").text());
                    case "url" -> new ContentPart.UrlSource(value, optional(place, "mimeType"));
                    case "file" ->
                        new ContentPart.FileSource(value, optional(place, "provider"), optional(place, "mimeType"));
                    default -> {
                        type.mustBeOneOf(List.of("data", "url", "file"));
                        yield null;
                    }
                });
    }

    private static Optional<ToolCall> toolCall(Place place) {
        if (!place.holdsMembers()) {
            return Optional.empty();
        }
        place.at("type").constant("function");
        String id = place.at("id").text();
        Place function = place.at("function");
        if (!function.holdsMembers()) {
            return Optional.empty();
        }
        return Optional.of(new ToolCall(
                id,
                new ToolCall.Function(
                        function.at("name").text(), function.at("arguments").text()),
                encrypted(place),
                place.at("metadata").optionalObject()));
    }

    private static @Nullable String encrypted(Place place) {
        return optional(place, "encryptedValue");
    }

    private static @Nullable String optional(Place place, String member) {
        return place.at(member).optionalText();
    }
}
