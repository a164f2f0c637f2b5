package dev.parley.protocol.agent;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * A text.
 *
 * @param role title, subtitle, body, caption or code
 * @param format plain or markdown; absent means plain
 */
public record UiText(
        String content,
        String role,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String format) implements UiNode {}
