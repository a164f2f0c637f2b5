package dev.parley.face.console;

import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Split;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The content codings that a client names in {@code Accept-Encoding}, except refused ones (<a
 * href="https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3">RFC 9110, 12.5.3</a>).
 */
record AcceptedCodings(Set<String> names) {
    private static final Alphabet ZERO = Alphabet.of("0");

    static AcceptedCodings of(Optional<String> header) {
        return new AcceptedCodings(header.stream()
                .flatMap(value -> Split.at(',', value).stream())
                .map(each -> Split.at(';', each.toLowerCase(Locale.ROOT), 2))
                .filter(parts -> parts.size() == 1 || !refuses(parts.get(1).strip()))
                .map(parts -> parts.getFirst().strip())
                .collect(Collectors.toSet()));
    }

    /** True if a coding's parameter is a quality of zero: {@code q=0}, or with zeros after a dot. */
    private static boolean refuses(String parameter) {
        int equals = Alphabet.SPACES.end(parameter, 1);
        if (!parameter.startsWith("q") || !parameter.startsWith("=", equals)) {
            return false;
        }
        int zero = Alphabet.SPACES.end(parameter, equals + 1);
        int dot = zero + 1;
        return parameter.startsWith("0", zero)
                && (dot == parameter.length()
                        || parameter.charAt(dot) == '.' && ZERO.end(parameter, dot + 1) == parameter.length());
    }

    boolean takes(String coding) {
        return names.contains(coding);
    }
}
