package dev.parley.outbound;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/** An address that the server may be told to call: http or https, and nothing in it that is not an address. */
public record OutboundUrl(URI uri, Destination destination) {
    public static final int LONGEST = 2_048;

    /** @throws IllegalArgumentException with what is wrong, to follow the name of a field */
    public static OutboundUrl parse(String text) {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException("is longer than the limit of " + LONGEST + " characters");
        }
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException notOne) {
            // Its message quotes the text, which may hold what nobody should read.
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
        // Hosts that are not names or addresses in their usual form, such as 2130706433 or 0x7f.1, are none to Java.
        if (uri.getHost() == null || authority.contains("%") || uri.getPort() > 65_535 || uri.getPort() == 0) {
            throw new IllegalArgumentException("must name a host, by its name or its address in the usual form");
        }
        if (!text.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException("must be written in ASCII, with other characters percent-encoded");
        }
        int port = uri.getPort() > 0 ? uri.getPort() : scheme.equals("https") ? 443 : 80;
        return new OutboundUrl(uri, new Destination(uri.getHost(), port));
    }

    /** Without the path, which may say more than others should read. */
    @Override
    public String toString() {
        return destination.toString();
    }
}
