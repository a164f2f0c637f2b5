package dev.parley.protocol.agent;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The view that a frontend may draw beside a message, compiled from the hints of an agent.
 *
 * @param version always {@value #VERSION}
 * @param locale a BCP 47 tag
 * @param status info, success, warning, error or pending
 * @param theme default, light or dark
 * @param meta the origin of the view; absent if unknown
 */
public record UiSchema(
        String version,
        String locale,
        String status,
        String theme,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable UiMeta meta,
        UiNode root) {
    public static final String VERSION = "2.0";
}
