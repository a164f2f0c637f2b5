package dev.parley.agents.tools;

import dev.parley.assembly.OneLine;
import dev.parley.protocol.Json;
import io.modelcontextprotocol.spec.McpSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Says in words what a tool answered: its texts as they are, everything else by its name. */
final class ResultText {
    private static final int MAX_WORD = 300;

    private ResultText() {}

    static String of(McpSchema.CallToolResult result) {
        List<String> parts = new ArrayList<>();
        if (result.content() != null) {
            result.content().forEach(part -> parts.add(part(part)));
        }
        // Servers repeat it as text for those who do not read it; then it is there already.
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
            default -> "[Something of a kind that is not known here.]";
        };
    }

    private static String resource(McpSchema.@Nullable ResourceContents resource) {
        return switch (resource) {
            case McpSchema.TextResourceContents text ->
                "[The resource " + word(text.uri()) + ":]\n" + Objects.requireNonNullElse(text.text(), "");
            case McpSchema.BlobResourceContents blob ->
                "[The resource " + word(blob.uri()) + ", " + word(blob.mimeType()) + ", " + bytes(blob.blob())
                        + ", that is not shown here.]";
            case null, default -> "[A resource of a kind that is not known here.]";
        };
    }

    private static String word(@Nullable String given) {
        return given == null ? "unnamed" : OneLine.of(given, MAX_WORD);
    }

    private static String bytes(@Nullable String base64) {
        return "about " + (base64 == null ? 0 : base64.length() / 4L * 3) + " bytes";
    }

    /** At most so many characters, and no others than a text may hold everywhere it goes. */
    static String bounded(String text, int most) {
        StringBuilder kept = new StringBuilder(Math.min(text.length(), most));
        int at = 0;
        while (at < text.length()) {
            int character = text.codePointAt(at);
            int width = Character.charCount(character);
            if (kept.length() + width > most) {
                return kept + "\n[The result was cut here: it has " + text.length() + " characters, and " + most
                        + " are shown.]";
            }
            if (Character.getType(character) == Character.SURROGATE) {
                kept.append('\uFFFD');
            } else if (!Character.isISOControl(character) || character == '\n' || character == '\t') {
                kept.appendCodePoint(character);
            }
            at += width;
        }
        return kept.toString();
    }
}
