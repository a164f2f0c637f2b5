package dev.parley.assembly;

import dev.parley.protocol.Alphabet;

/** Makes tool names acceptable to every provider, by the strictest rules among them. */
public final class ToolNames {
    private static final int MAX_LENGTH = 64;
    private static final Alphabet LEGAL = Alphabet.of("a-zA-Z0-9_-");
    private static final Alphabet BEGINNING = Alphabet.of("a-zA-Z_");

    private ToolNames() {}

    /** The name itself if it is legal, else the name with other characters replaced. */
    public static String legal(String name) {
        if (BEGINNING.begins(name) && LEGAL.spells(name, 1, MAX_LENGTH)) {
            return name;
        }
        if (name.isBlank()) {
            return "tool";
        }
        String plain = LEGAL.replaceOthers(name, '_');
        String begun = BEGINNING.begins(plain) ? plain : "_" + plain;
        return begun.substring(0, Math.min(MAX_LENGTH, begun.length()));
    }
}
