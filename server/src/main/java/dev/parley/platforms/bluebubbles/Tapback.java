package dev.parley.platforms.bluebubbles;

import dev.parley.protocol.Alphabet;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * A reaction to a message. It arrives as a separate message, which refers to the message that has the reaction. The Mac
 * numbers the kinds of reactions, and newer BlueBubbles servers name them.
 *
 * @param target the guid of the message that has the reaction
 */
record Tapback(String target, String emoji, boolean added) {
    private static final Map<String, String> EMOJI = Map.of(
            "love", "❤️",
            "like", "👍",
            "dislike", "👎",
            "laugh", "😂",
            "emphasize", "‼️",
            "question", "❓");
    private static final Map<Integer, String> NAMES = Map.of(
            0, "love",
            1, "like",
            2, "dislike",
            3, "laugh",
            4, "emphasize",
            5, "question",
            6, "emoji",
            7, "sticker-tapback");
    private static final int ADDED = 2000;
    private static final int REMOVED = 3000;
    /** A guid after a prefix that names a part of the message or its bubble. */
    private static final Pattern PART = Pattern.compile("(?:bp:|p:\\d{1,4}/)(?:\\d{1,4}/)?(.+)", Pattern.DOTALL);

    private static final int MAX_EMOJI = 64;

    /** Reads a reaction; empty if the message is not a reaction. */
    static Optional<Tapback> read(JsonNode message) {
        String target = Fields.text(message, "associatedMessageGuid");
        String type = type(message.path("associatedMessageType"));
        if (target.isEmpty() || type.isEmpty()) {
            return Optional.empty();
        }
        boolean added = !type.startsWith("-");
        String name = added ? type : type.substring(1);
        return emoji(name, message).map(emoji -> new Tapback(target(target), emoji, added));
    }

    private static String type(JsonNode type) {
        if (type.isString() && !Alphabet.DIGITS.spells(type.stringValue(), 4, 4)) {
            return type.stringValue();
        }
        int number = type.asInt(0);
        boolean removed = number >= REMOVED;
        String name = NAMES.get(number - (removed ? REMOVED : ADDED));
        return name == null ? "" : removed ? "-" + name : name;
    }

    private static Optional<String> emoji(String name, JsonNode message) {
        if (EMOJI.containsKey(name)) {
            return Optional.ofNullable(EMOJI.get(name));
        }
        String own = Fields.text(message, "associatedMessageEmoji");
        return switch (name) {
            case "emoji" -> Optional.of(own.isEmpty() || own.length() > MAX_EMOJI ? "emoji" : own);
            // A sticker that is placed on a message has another number, and counts as an ordinary message.
            case "sticker-tapback" -> Optional.of("sticker");
            default -> Optional.empty();
        };
    }

    private static String target(String given) {
        Matcher part = PART.matcher(given);
        return part.matches() ? part.group(1) : given;
    }
}
