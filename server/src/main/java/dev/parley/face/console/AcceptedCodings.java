package dev.parley.face.console;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The content codings that a client names in {@code Accept-Encoding}, but for those it names to refuse them. */
record AcceptedCodings(Set<String> names) {
    static AcceptedCodings of(Optional<String> header) {
        return new AcceptedCodings(header.stream()
                .flatMap(value -> Arrays.stream(value.split(",")))
                .map(each -> each.strip().toLowerCase(Locale.ROOT).split("\\s*;\\s*", 2))
                .filter(parts -> parts.length == 1 || !parts[1].matches("q\\s*=\\s*0(\\.0*)?"))
                .map(parts -> parts[0])
                .collect(Collectors.toSet()));
    }

    boolean takes(String coding) {
        return names.contains(coding);
    }
}
