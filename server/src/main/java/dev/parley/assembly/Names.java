package dev.parley.assembly;

import dev.parley.protocol.Actor;

/** Names as they may stand in front of a turn: nothing in them can look like the end of the header or another turn. */
final class Names {
    private static final int LONGEST = 200;

    private Names() {}

    /** The name without what could forge a header; the id if nothing is left of it. */
    static String neutral(String name, Actor author) {
        StringBuilder neutral = new StringBuilder();
        name.codePoints().limit(LONGEST).forEach(character -> {
            if (isBreaking(character)) {
                neutral.append(' ');
            } else if (!OneLine.isHidden(character)) {
                neutral.appendCodePoint(character);
            }
        });
        String shown = neutral.toString().strip().replaceAll(" +", " ");
        return shown.isEmpty() ? author.value().replace(':', ' ') : shown;
    }

    private static boolean isBreaking(int character) {
        return "[]():\uFF3B\uFF3D\uFF08\uFF09\uFF1A".indexOf(character) >= 0 || OneLine.isBreaking(character);
    }
}
