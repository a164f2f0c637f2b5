package dev.parley.outbound;

import dev.parley.protocol.Alphabet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Rules for the configured headers of the server's calls. */
public final class HeaderRules {
    static final int MAX_ENTRIES = 20;
    private static final int MAX_VALUE = 4_096;

    private static final Alphabet NAME = Alphabet.of("A-Za-z0-9!#$%&'*+.^_`|~-");
    private static final Alphabet VALUE = Alphabet.of("\t -~");
    private static final List<String> CREDENTIALS =
            List.of("auth", "credential", "key", "pass", "secret", "session", "token");

    /** Headers that the connection and the protocol set themselves. */
    private static final Set<String> RESERVED = Set.of(
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

    /** The fault of a header, as an error message without the header's name; null if there is no fault. */
    static @Nullable String faultIn(String name, JsonNode value) {
        if (!NAME.spells(name, 1, 128)) {
            return "is not a header's name";
        }
        if (RESERVED.contains(lower(name))) {
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

    /** True if the name of a header or of a URL's parameter suggests a credential. */
    static boolean isCredential(String name) {
        String plain = lower(name);
        return plain.equals("cookie") || CREDENTIALS.stream().anyMatch(plain::contains);
    }

    /** True if a text with revealed secrets is a valid header value. */
    public static boolean isValue(String text) {
        return VALUE.spells(text);
    }

    static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
