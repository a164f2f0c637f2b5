package dev.parley.auth;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Alphabet;
import java.util.Map;
import java.util.Set;

/**
 * The names of sources, and the prefixes of their people's ids. A prefix is the source's own name unless it is listed
 * here, and belongs to one source only: otherwise one source could speak in the name of another's people.
 */
public final class Sources {
    private static final Alphabet NAME = Alphabet.of("a-z0-9_-");
    private static final Set<String> OUR_OWN = Set.of("user", "agent", "system", "integration", "agno");
    private static final Map<String, String> SOURCE_BY_PREFIX = Map.of("bb", "bluebubbles");

    private Sources() {}

    /** Whether a source may have this name: a short word that is neither ours nor the prefix of another source. */
    public static boolean isSource(String name) {
        return Alphabet.LOWER_CASE.begins(name)
                && NAME.spells(name, 1, 32)
                && !OUR_OWN.contains(name)
                && sourceOf(name).equals(name);
    }

    /** In whose name a source's key acts. */
    public static Actor integration(String source) {
        return new Actor("integration:" + source);
    }

    /** Whose people's ids start with this prefix. */
    public static String sourceOf(String prefix) {
        return SOURCE_BY_PREFIX.getOrDefault(prefix, prefix);
    }

    /** What the ids of a source's people start with. */
    public static String prefixOf(String source) {
        return SOURCE_BY_PREFIX.entrySet().stream()
                .filter(each -> each.getValue().equals(source))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(source);
    }
}
