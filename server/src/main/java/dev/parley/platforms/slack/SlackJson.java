package dev.parley.platforms.slack;

import dev.parley.basics.Text;
import tools.jackson.databind.JsonNode;

/** Reads members of what Slack sends. What is missing or of another type is the empty text: nothing here throws. */
final class SlackJson {
    private SlackJson() {}

    /** A text with U+FFFD for what PostgreSQL cannot hold: Slack will not send it again with other characters. */
    static String text(JsonNode object, String name) {
        JsonNode value = object.path(name);
        return value.isString() ? Text.mended(value.stringValue()) : "";
    }

    static boolean isTrue(JsonNode object, String name) {
        JsonNode value = object.path(name);
        return value.isBoolean() && value.booleanValue();
    }

    /** The first that is not blank; the last one in any case. */
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
