package dev.parley.outbound;

import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Split;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A host and its port. The host is normalized: lower case, without a dot at the end, an address in its shortest form
 * and without brackets.
 */
public record Destination(String host, int port) {
    private static final Alphabet DOTS = Alphabet.of(".");
    private static final Alphabet NAME = Alphabet.of("A-Za-z0-9._-");

    public Destination {
        host = normalized(host);
    }

    /** Reads {@code host:port} or {@code [address]:port}. */
    public static Optional<Destination> parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1 || !Alphabet.DIGITS.spells(text.substring(colon + 1), 1, 5)) {
            return Optional.empty();
        }
        String host = text.substring(0, colon);
        int port = Integer.parseInt(text.substring(colon + 1));
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        boolean fits = bracketed ? literal(host) != null : NAME.spells(host, 1, 253) && !DOTS.spells(host);
        return fits && port >= 1 && port <= 65_535 ? Optional.of(new Destination(host, port)) : Optional.empty();
    }

    private static String normalized(String host) {
        InetAddress address = literal(host);
        if (address != null) {
            return address.getHostAddress();
        }
        String name = host.toLowerCase(Locale.ROOT);
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    /** The address of a literal; null for names, which are never resolved here. */
    private static @Nullable InetAddress literal(String host) {
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        if (!bare.contains(":") && !isDotted(bare)) {
            return null;
        }
        try {
            return InetAddress.ofLiteral(bare);
        } catch (IllegalArgumentException notOne) {
            return null;
        }
    }

    private static boolean isDotted(String text) {
        List<String> numbers = Split.at('.', text);
        return numbers.size() == 4 && numbers.stream().allMatch(number -> Alphabet.DIGITS.spells(number, 1, 3));
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
