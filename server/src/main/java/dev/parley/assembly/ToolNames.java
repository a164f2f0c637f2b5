package dev.parley.assembly;

/** Names of tools as every provider takes them: one rule, so that history and the tools on offer say the same. */
public final class ToolNames {
    private static final int LONGEST = 64;

    private ToolNames() {}

    /** What is legal already stays as it is. */
    public static String legal(String given) {
        if (given.isBlank()) {
            return "tool";
        }
        String plain = given.replaceAll("[^a-zA-Z0-9_-]", "_");
        char first = plain.charAt(0);
        String begun = first == '-' || first >= '0' && first <= '9' ? "_" + plain : plain;
        return begun.substring(0, Math.min(LONGEST, begun.length()));
    }
}
