package dev.parley.outbound;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The URL of an outgoing call: http or https, without credentials and fragment. */
public record OutboundUrl(URI uri, Destination destination) {
    static final int MAX_LENGTH = 2_048;

    private static final Pattern NUMBER_LAST = Pattern.compile("(?i)(.*\\.)?([0-9]+|0x[0-9a-f]*)\\.?");
    private static final Pattern ADDRESS = Pattern.compile("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}");

    /**
     * @throws IllegalArgumentException if the URL is not valid; the message is the fault, to be shown after a field's
     *     name
     */
    public static OutboundUrl parse(String text) {
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("is longer than the limit of " + MAX_LENGTH + " characters");
        }
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException notOne) {
            // The exception's message is dropped, because it quotes the text and may reveal a secret.
            throw new IllegalArgumentException("is not a URL");
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new IllegalArgumentException("must begin with http:// or https://");
        }
        String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        if (uri.getRawUserInfo() != null || authority.contains("@")) {
            throw new IllegalArgumentException("must not hold a user or password; use a header with a secret");
        }
        if (uri.getRawFragment() != null) {
            throw new IllegalArgumentException("must not have a fragment (#…)");
        }
        if (!isHost(uri.getHost()) || authority.contains("%") || uri.getPort() > 65_535 || uri.getPort() == 0) {
            throw new IllegalArgumentException("must name a host, by its name or its address in the usual form");
        }
        if (!text.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException("must be written in ASCII, with other characters percent-encoded");
        }
        int port = uri.getPort() > 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
        return new OutboundUrl(uri, new Destination(uri.getHost(), port));
    }

    /** True for valid hosts. Java takes 2130706433 and 0x7f000001 for names, but resolvers take them for 127.0.0.1. */
    private static boolean isHost(@Nullable String host) {
        if (host == null || !NUMBER_LAST.matcher(host).matches()) {
            return host != null;
        }
        return ADDRESS.matcher(host).matches();
    }

    /** The destination without the path, which may contain secrets. */
    @Override
    public String toString() {
        return destination.toString();
    }
}
