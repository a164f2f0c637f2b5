package dev.parley.platforms.slack;

import dev.parley.basics.Text;
import tools.jackson.databind.JsonNode;

/** Reads members of Slack's JSON, without exceptions: a missing member, or one of another type, is an empty text. */
final class SlackJson {
    private SlackJson() {}

    /** A text, with U+FFFD for characters that PostgreSQL cannot store, as Slack would only repeat a refused event. */
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
