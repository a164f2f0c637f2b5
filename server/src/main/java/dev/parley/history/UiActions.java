package dev.parley.history;

import dev.parley.protocol.agent.UiAction;
import dev.parley.protocol.agent.UiCopyAction;
import dev.parley.protocol.agent.UiEventAction;
import dev.parley.protocol.agent.UiNavigationAction;
import dev.parley.protocol.agent.UiToolAction;
import dev.parley.protocol.agent.UiUrlAction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the actions of buttons. Only the fields of an action's kind are read. An action with one unacceptable field is
 * dropped as a whole, because a part of the action would not do what its agent intended.
 */
final class UiActions {
    private static final int MAX_NAME = 200;
    private static final int MAX_TEXT = 2_000;
    /**
     * The deepest nesting of an action's data. The data is part of an answer, and readers' JSON parsers limit the
     * depth of the answer.
     */
    private static final int MAX_DEPTH = 16;

    private UiActions() {}

    /** @param given a button with a field {@code action}, or with the action's fields among its own fields */
    static @Nullable UiAction of(JsonNode given) {
        JsonNode action = given.path("action").isObject() ? given.path("action") : given;
        return switch (action.path("type").asString("")) {
            case "navigation" -> {
                String path = text(action, MAX_TEXT, "path", "target", "url");
                yield path != null && SafeUrls.isPath(path) ? new UiNavigationAction(path) : null;
            }
            case "url" -> {
                String url = text(action, MAX_TEXT, "url", "target");
                yield url != null && SafeUrls.isWeb(url) ? new UiUrlAction(url) : null;
            }
            case "event" -> {
                String name = text(action, MAX_NAME, "name", "event", "target");
                JsonNode payload = given(action, "payload");
                yield name != null && isFlat(payload) ? new UiEventAction(name, payload) : null;
            }
            case "tool" -> {
                String name = text(action, MAX_NAME, "name", "tool", "target");
                JsonNode args = given(action, "args");
                yield name != null && isFlat(args) && (args == null || args.isObject())
                        ? new UiToolAction(name, (ObjectNode) args)
                        : null;
            }
            case "copy" -> {
                String text = text(action, MAX_TEXT, "text", "target");
                yield text == null ? null : new UiCopyAction(text);
            }
            default -> null;
        };
    }

    /** The value of the first of these fields that exists, if it is a text of allowed length. */
    private static @Nullable String text(JsonNode action, int longest, String... names) {
        for (String name : names) {
            JsonNode value = action.path(name);
            if (!value.isMissingNode()) {
                return value.isString() && isFitting(value.asString(), longest) ? value.asString() : null;
            }
        }
        return null;
    }

    private static boolean isFitting(String text, int longest) {
        return !text.isBlank() && text.codePointCount(0, text.length()) <= longest;
    }

    private static @Nullable JsonNode given(JsonNode action, String name) {
        JsonNode value = action.get(name);
        return value == null || value.isNull() ? null : value;
    }

    private static boolean isFlat(@Nullable JsonNode node) {
        return node == null || isFlat(node, MAX_DEPTH);
    }

    private static boolean isFlat(JsonNode node, int levels) {
        if (!node.isContainer()) {
            return true;
        }
        if (levels == 0) {
            return false;
        }
        for (JsonNode child : node) {
            if (!isFlat(child, levels - 1)) {
                return false;
            }
        }
        return true;
    }
}
