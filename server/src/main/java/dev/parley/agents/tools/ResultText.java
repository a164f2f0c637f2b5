package dev.parley.agents.tools;

import dev.parley.assembly.OneLine;
import dev.parley.protocol.Json;
import io.modelcontextprotocol.spec.McpSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The text of a tool's result for a model: text parts unchanged, other parts by their names. */
final class ResultText {
    private static final int MAX_WORD = 300;

    private ResultText() {}

    static String of(McpSchema.CallToolResult result) {
        List<String> parts = new ArrayList<>();
        if (result.content() != null) {
            result.content().forEach(part -> parts.add(part(part)));
        }
        // Most servers repeat the structured content as text, for clients that do not read it.
        if (result.structuredContent() != null && parts.stream().allMatch(String::isBlank)) {
            parts.add(Json.MAPPER.writeValueAsString(result.structuredContent()));
        }
        return String.join("\n", parts);
    }

    private static String part(McpSchema.Content content) {
        return switch (content) {
            case McpSchema.TextContent text -> Objects.requireNonNullElse(text.text(), "");
            case McpSchema.ImageContent image ->
                "[An image, " + word(image.mimeType()) + ", " + bytes(image.data()) + ", that is not shown here.]";
            case McpSchema.AudioContent audio ->
                "[A sound, " + word(audio.mimeType()) + ", " + bytes(audio.data()) + ", that is not played here.]";
            case McpSchema.ResourceLink link ->
                "[A link to the resource " + word(link.name()) + ": " + word(link.uri()) + "]";
            case McpSchema.EmbeddedResource embedded -> resource(embedded.resource());
            default -> "[A part of an unknown kind.]";
        };
    }

    private static String resource(McpSchema.@Nullable ResourceContents resource) {
        return switch (resource) {
            case McpSchema.TextResourceContents text ->
                "[The resource " + word(text.uri()) + ":]\n" + Objects.requireNonNullElse(text.text(), "");
            case McpSchema.BlobResourceContents blob ->
                "[The resource " + word(blob.uri()) + ", " + word(blob.mimeType()) + ", " + bytes(blob.blob())
                        + ", that is not shown here.]";
            case null, default -> "[A resource of an unknown kind.]";
        };
    }

    private static String word(@Nullable String given) {
        return given == null ? "unnamed" : OneLine.of(given, MAX_WORD);
    }

    private static String bytes(@Nullable String base64) {
        return "about " + (base64 == null ? 0 : base64.length() / 4L * 3) + " bytes";
    }

    /** At most {@code maxLength} characters of the text, without characters that databases or providers refuse. */
    static String bounded(String text, int maxLength) {
        StringBuilder bounded = new StringBuilder(Math.min(text.length(), maxLength));
        int at = 0;
        while (at < text.length()) {
            int character = text.codePointAt(at);
            int width = Character.charCount(character);
            if (bounded.length() + width > maxLength) {
                return bounded + "\n[The result was cut here: it has " + text.length() + " characters, and " + maxLength
                        + " are shown.]";
            }
            if (Character.getType(character) == Character.SURROGATE) {
                bounded.append('\uFFFD');
            } else if (!Character.isISOControl(character) || character == '\n' || character == '\t') {
                bounded.appendCodePoint(character);
            }
            at += width;
        }
        return bounded.toString();
    }
}
