package dev.parley.outbound;

import dev.parley.protocol.Alphabet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Which headers may be configured for what the server calls. */
public final class HeaderRules {
    static final int MAX_ENTRIES = 20;
    private static final int MAX_VALUE = 4_096;

    private static final Alphabet NAME = Alphabet.of("A-Za-z0-9!#$%&'*+.^_`|~-");
    private static final Alphabet VALUE = Alphabet.of("\t -~");
    private static final List<String> CREDENTIALS =
            List.of("auth", "credential", "key", "pass", "secret", "session", "token");

    /** What the connection and the protocol decide for themselves. */
    private static final Set<String> OURS = Set.of(
            "accept",
            "accept-encoding",
            "connection",
            "content-encoding",
            "content-length",
            "content-type",
            "expect",
            "host",
            "http2-settings",
            "keep-alive",
            "proxy-authenticate",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private HeaderRules() {}

    /** What is wrong with a header, to follow its name; null if nothing is. */
    static @Nullable String faultIn(String name, JsonNode value) {
        if (!NAME.spells(name, 1, 128)) {
            return "is not a header's name";
        }
        if (OURS.contains(lower(name))) {
            return "cannot be set: the connection needs it";
        }
        if (!value.isString()) {
            return "must be a text";
        }
        SecretText text = new SecretText(value.stringValue());
        if (text.template().length() > MAX_VALUE || !isValue(text.template())) {
            return "must have at most " + MAX_VALUE + " characters of ASCII, without line breaks";
        }
        if (!text.isWellFormed()) {
            return "can only refer to secrets, as ${secret:NAME}";
        }
        if (text.names().isEmpty() && isCredential(name)) {
            return "carries a credential, so its value must come from a secret: ${secret:NAME}";
        }
        return null;
    }

    /** Whether a name, of a header or in a URL, tells that a credential follows. */
    static boolean isCredential(String name) {
        String plain = lower(name);
        return plain.equals("cookie") || CREDENTIALS.stream().anyMatch(plain::contains);
    }

    /** Whether a text, with its secrets in it, can be sent as a header's value. */
    public static boolean isValue(String text) {
        return VALUE.spells(text);
    }

    static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
