package dev.parley.auth;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Alphabet;
import java.util.Map;
import java.util.Set;

/**
 * The names of sources, and the prefixes of their senders' ids. The prefix is the source's own name unless this class
 * lists another prefix. A prefix belongs to one source only. Otherwise one source could speak in the name of another
 * source's senders.
 */
public final class Sources {
    private static final Alphabet NAME = Alphabet.of("a-z0-9_-");
    private static final Set<String> OUR_OWN = Set.of("user", "agent", "system", "integration", "agno");
    private static final Map<String, String> SOURCE_BY_PREFIX = Map.of("bb", "bluebubbles");

    private Sources() {}

    /** True if a source may have this name: a short word that is neither reserved nor the prefix of another source. */
    public static boolean isSource(String name) {
        return Alphabet.LOWER_CASE.begins(name)
                && NAME.spells(name, 1, 32)
                && !OUR_OWN.contains(name)
                && sourceOf(name).equals(name);
    }

    /** The actor in whose name a source's key acts. */
    public static Actor integration(String source) {
        return new Actor("integration:" + source);
    }

    /** The source whose senders' ids start with this prefix. */
    static String sourceOf(String prefix) {
        return SOURCE_BY_PREFIX.getOrDefault(prefix, prefix);
    }

    /** The prefix of the ids of a source's senders. */
    public static String prefixOf(String source) {
        return SOURCE_BY_PREFIX.entrySet().stream()
                .filter(each -> each.getValue().equals(source))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(source);
    }
}
