package dev.parley.sessions;

import dev.parley.basics.Sha256;
import dev.parley.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Recognizes a message that Parley served and a client posts again, with its media inline or as links. It is the same
 * message, although its text may differ from the text that was first posted.
 */
final class SentBack {
    private final ObjectNode message;
    private final Function<String, Optional<String>> nameIn;

    /** @param nameIn finds the name of the object in a URL of this server */
    SentBack(ObjectNode message, Function<String, Optional<String>> nameIn) {
        this.message = message.deepCopy();
        this.nameIn = nameIn;
    }

    boolean matches(StoredMessage stored) {
        for (Medium medium : stored.media()) {
            if (!(message.at(medium.pointer()) instanceof ObjectNode item) || !reduce(item, medium)) {
                return false;
            }
        }
        return NewChatEvent.fingerprint(message)
                .equals(NewChatEvent.fingerprint((ObjectNode) Json.MAPPER.readTree(stored.json())));
    }

    /** Reduces an item to its stored form, if the item names the object that was cut out of it. */
    private boolean reduce(ObjectNode item, Medium medium) {
        boolean named = isBytes(item.path("content"), medium);
        if (named) {
            item.remove("content");
        }
        if (isUrl(item.path("url"), medium)) {
            item.remove("url");
            named = true;
        }
        if (isReference(item.path("media_reference"), medium)) {
            item.remove("media_reference");
            named = true;
        }
        if (!named || item.has("content")) {
            return false;
        }
        item.put("content", "");
        return true;
    }

    private static boolean isBytes(JsonNode content, Medium medium) {
        if (!content.isString() || content.stringValue().length() != medium.encodedBytes()) {
            return false;
        }
        byte[] text = ("\"" + content.stringValue() + "\"").getBytes(StandardCharsets.UTF_8);
        return Base64Span.at(text, 1)
                .map(base64 -> HexFormat.of().formatHex(Sha256.of(base64.decoded(text))))
                .filter(medium.sha256()::equals)
                .isPresent();
    }

    /** True if a URL names the object of a medium. Its token may differ. */
    private boolean isUrl(JsonNode url, Medium medium) {
        return url.isString()
                && nameIn.apply(url.stringValue())
                        .filter(medium.key().toString()::equals)
                        .isPresent();
    }

    private static boolean isReference(JsonNode reference, Medium medium) {
        return reference.path("storage_backend").asString("").equals(MediaLink.BACKEND)
                && reference
                        .path("storage_key")
                        .asString("")
                        .equals(medium.key().toString());
    }
}
