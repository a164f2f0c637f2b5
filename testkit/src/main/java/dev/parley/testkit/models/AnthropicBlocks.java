package dev.parley.testkit.models;

import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Anthropic's rules for a single block of content. */
final class AnthropicBlocks {
    private static final Set<String> IMAGES = Set.of("image/png", "image/jpeg", "image/gif", "image/webp");

    private final Violations violations;

    AnthropicBlocks(Violations violations) {
        this.violations = violations;
    }

    void check(JsonNode block, String role, String where) {
        String type = Nodes.text(block.path("type"));
        switch (type) {
            case "text" ->
                violations.unless(
                        !Nodes.text(block.path("text")).isBlank(),
                        "%: text content blocks must contain non-whitespace text",
                        where);
            case "image" -> {
                only(role, "user", type, where);
                image(block.path("source"), where);
            }
            case "document" -> only(role, "user", type, where);
            case "tool_result" -> {
                only(role, "user", type, where);
                Nodes.stream(block.path("content")).forEach(part -> check(part, role, where + ".tool_result"));
            }
            case "tool_use", "redacted_thinking" -> only(role, "assistant", type, where);
            case "thinking" -> {
                only(role, "assistant", type, where);
                violations.unless(
                        !Nodes.text(block.path("signature")).isEmpty(), "%: thinking.signature: Field required", where);
            }
            default -> violations.unless(false, "%: '%' is not a known type of block", where, type);
        }
    }

    private void only(String role, String expected, String type, String where) {
        violations.unless(role.equals(expected), "%: `%` blocks can only be in `%` messages", where, type, expected);
    }

    private void image(JsonNode source, String where) {
        switch (Nodes.text(source.path("type"))) {
            case "base64" -> {
                violations.unless(
                        IMAGES.contains(Nodes.text(source.path("media_type"))),
                        "%: image.source.media_type: should be one of %, not %",
                        where,
                        IMAGES,
                        source.path("media_type"));
                violations.unless(
                        Nodes.text(source.path("data")).matches("[A-Za-z0-9+/]+={0,2}"),
                        "%: image.source.data: not base64",
                        where);
            }
            case "url" ->
                violations.unless(
                        Nodes.text(source.path("url")).matches("https?://.+"), "%: image.source.url: invalid", where);
            default -> violations.unless(false, "%: image.source.type: expected 'base64' or 'url'", where);
        }
    }
}
