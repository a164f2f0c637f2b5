package dev.parley.history;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Checks foreign addresses that a frontend may follow. Refuses text that browsers and this parser read differently:
 * backslashes, control and invisible characters, two slashes that begin a host, a user before the host, other schemes.
 */
final class SafeUrls {
    private static final int MAX_LENGTH = 2_000;

    private SafeUrls() {}

    /** An absolute https URL. */
    static boolean isWeb(String text) {
        URI uri = parse(text);
        return uri != null
                && "https".equalsIgnoreCase(uri.getScheme())
                && uri.getHost() != null
                && uri.getRawUserInfo() == null;
    }

    /** A path within the site, with or without a query and a fragment. */
    static boolean isPath(String text) {
        URI uri = parse(text);
        return uri != null
                && !text.isEmpty()
                && uri.getScheme() == null
                && uri.getRawAuthority() == null
                && uri.getRawPath() != null
                // After normalization, /.//host would begin with two slashes.
                && !uri.getRawPath().contains("//")
                && !text.startsWith("//");
    }

    private static @Nullable URI parse(String text) {
        if (text.length() > MAX_LENGTH || !text.codePoints().allMatch(SafeUrls::isPlain)) {
            return null;
        }
        try {
            return new URI(text);
        } catch (URISyntaxException malformed) {
            return null;
        }
    }

    private static boolean isPlain(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> character != '\\';
        };
    }
}
