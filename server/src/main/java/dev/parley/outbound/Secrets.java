package dev.parley.outbound;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The secrets that an operator configured, by name. Everything else holds their names only. */
public final class Secrets {
    private final Map<String, String> byName;

    public Secrets(Map<String, String> byName) {
        this.byName = byName.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(each -> oneSpelling(each.getKey()), Map.Entry::getValue));
    }

    public boolean has(String name) {
        return byName.containsKey(oneSpelling(name));
    }

    Optional<String> reveal(String name) {
        return Optional.ofNullable(byName.get(oneSpelling(name)));
    }

    /** An environment writes AGNO_TOKEN where a file writes agno-token. */
    private static String oneSpelling(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String toString() {
        return "Secrets" + byName.keySet();
    }
}
