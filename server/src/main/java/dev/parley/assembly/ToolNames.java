package dev.parley.assembly;

import java.util.regex.Pattern;

/** Names of tools as every provider takes them: the strictest rule of each. */
public final class ToolNames {
    private static final int LONGEST = 64;
    private static final Pattern LEGAL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_-]{0," + (LONGEST - 1) + "}");
    private static final Pattern BEGINNING = Pattern.compile("[a-zA-Z_].*");

    private ToolNames() {}

    /** The name itself if it is legal, else what is left of it with other characters replaced. */
    public static String legal(String name) {
        if (LEGAL.matcher(name).matches()) {
            return name;
        }
        if (name.isBlank()) {
            return "tool";
        }
        String plain = name.replaceAll("[^a-zA-Z0-9_-]", "_");
        String begun = BEGINNING.matcher(plain).matches() ? plain : "_" + plain;
        return begun.substring(0, Math.min(LONGEST, begun.length()));
    }
}
