package dev.parley.platforms.discord;

import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads Discord's JSON: objects, optional texts, and ids, which are numbers written as texts. */
final class DiscordJson {

    private DiscordJson() {}

    static ObjectNode read(byte[] body) {
        try {
            // The body is decoded strictly,
            // because the parser would guess other encodings and accept some broken sequences.
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
            if (Json.MAPPER.readTree(text) instanceof ObjectNode object) {
                return object;
            }
        } catch (CharacterCodingException | JacksonException unreadable) {
            throw notAnObject();
        }
        throw notAnObject();
    }

    private static ProblemException notAnObject() {
        return new ProblemException(Problem.INVALID_JSON, "The body must be a JSON object in UTF-8.");
    }

    /** A text; null if it is absent or empty. */
    static @Nullable String text(JsonNode object, String name) {
        JsonNode value = object.path(name);
        return value.isString() && !value.stringValue().isEmpty() ? value.stringValue() : null;
    }

    static boolean isTrue(JsonNode object, String name) {
        return object.path(name).isBoolean() && object.path(name).booleanValue();
    }

    static boolean isId(String text) {
        return Alphabet.DIGITS.spells(text, 1, 19);
    }

    /** An id; null if it is absent. */
    static @Nullable String id(JsonNode object, String name, String path) {
        JsonNode value = object.path(name);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        String id = text(object, name);
        if (id == null || !isId(id)) {
            throw ProblemException.invalidField(path + name, "must be an id of Discord, as a text of digits");
        }
        return id;
    }

    static String requireId(JsonNode object, String name, String path) {
        String id = id(object, name, path);
        if (id == null) {
            throw ProblemException.invalidField(path + name, "is required");
        }
        return id;
    }

    /** The visible name of a user: the nickname in the guild, the display name, or the account's name. */
    static String displayName(JsonNode user, JsonNode member, String id) {
        for (String name :
                new @Nullable String[] {text(member, "nick"), text(user, "global_name"), text(user, "username")}) {
            if (name != null && !name.isBlank()) {
                return name;
            }
        }
        return id;
    }
}
