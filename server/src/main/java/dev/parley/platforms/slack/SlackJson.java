package dev.parley.platforms.slack;

import dev.parley.basics.Text;
import tools.jackson.databind.JsonNode;

/**
 * Reads fields of Slack's JSON without exceptions. A missing field, or a field of another type, counts as an empty
 * text.
 */
final class SlackJson {
    private SlackJson() {}

    /**
     * A text, with U+FFFD in place of characters that PostgreSQL cannot store. An event with such characters is not
     * refused, because Slack would only repeat it.
     */
    static String text(JsonNode object, String name) {
        JsonNode value = object.path(name);
        return value.isString() ? Text.mended(value.stringValue()) : "";
    }

    static boolean isTrue(JsonNode object, String name) {
        JsonNode value = object.path(name);
        return value.isBoolean() && value.booleanValue();
    }

    /** The first choice that is not blank, else the last. */
    static String first(String... choices) {
        for (String choice : choices) {
            if (!choice.isBlank()) {
                return choice;
            }
        }
        return choices[choices.length - 1];
    }

    /** The start of a text, in whole code points. */
    static String start(String text, int characters) {
        return text.codePointCount(0, text.length()) <= characters
                ? text
                : text.substring(0, text.offsetByCodePoints(0, characters));
    }
}
