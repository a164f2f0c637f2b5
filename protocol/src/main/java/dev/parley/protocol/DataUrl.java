package dev.parley.protocol;

import java.util.Optional;

/**
 * A {@code data:} URL that carries its bytes in Base64, read in one pass
 * (<a href="https://www.rfc-editor.org/rfc/rfc2397">RFC 2397</a>).
 *
 * @param mimeType the media type without its parameters
 * @param base64 the text after the comma, as written
 */
public record DataUrl(String mimeType, String base64) {
    private static final String SCHEME = "data:";
    private static final String MARK = ";base64";
    private static final int MAX_PARAMETER = 80;
    private static final Alphabet NAME = Alphabet.of("a-zA-Z0-9_.+-");

    public static boolean startsAsOne(String text) {
        return text.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    }

    /** Reads a {@code data:} URL in Base64. Empty for any other URL, and for a malformed one. */
    public static Optional<DataUrl> parse(String url) {
        int comma = startsAsOne(url) ? url.indexOf(',') : -1;
        int mark = comma - MARK.length();
        if (mark < SCHEME.length() || !url.regionMatches(true, mark, MARK, 0, MARK.length())) {
            return Optional.empty();
        }
        int typeEnd = url.indexOf(';');
        String type = url.substring(SCHEME.length(), typeEnd);
        for (int at = typeEnd; at < mark; ) {
            int next = url.indexOf(';', at + 1);
            if (next - at < 2 || next - at > MAX_PARAMETER + 1) {
                return Optional.empty();
            }
            at = next;
        }
        return isType(type) ? Optional.of(new DataUrl(type, url.substring(comma + 1))) : Optional.empty();
    }

    private static boolean isType(String text) {
        int slash = NAME.end(text, 0);
        return slash > 0
                && slash < text.length() - 1
                && text.charAt(slash) == '/'
                && NAME.end(text, slash + 1) == text.length();
    }
}
