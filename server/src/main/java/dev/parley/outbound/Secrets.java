package dev.parley.outbound;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The secrets of an operator's configuration, by name. All other classes hold only the names of secrets. */
public final class Secrets {
    private final Map<String, String> byName;

    public Secrets(Map<String, String> byName) {
        this.byName = byName.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(each -> normalized(each.getKey()), Map.Entry::getValue));
    }

    boolean has(String name) {
        return byName.containsKey(normalized(name));
    }

    Optional<String> reveal(String name) {
        return Optional.ofNullable(byName.get(normalized(name)));
    }

    /**
     * The name in one common spelling, because an environment variable is written AGNO_TOKEN, but a key in a file is
     * written agno-token.
     */
    private static String normalized(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String toString() {
        return "Secrets" + byName.keySet();
    }
}
