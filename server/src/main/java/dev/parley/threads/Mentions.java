package dev.parley.threads;

import dev.parley.protocol.Actor;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the participants that a text mentions by name. The longest name wins, so that `@Alice's Agent` does not mention
 * Alice. A name that two participants share mentions both of them.
 */
final class Mentions {
    private static final Set<Character.UnicodeScript> WITHOUT_SPACES = EnumSet.of(
            Character.UnicodeScript.HAN,
            Character.UnicodeScript.HIRAGANA,
            Character.UnicodeScript.KATAKANA,
            Character.UnicodeScript.HANGUL,
            Character.UnicodeScript.THAI,
            Character.UnicodeScript.LAO,
            Character.UnicodeScript.KHMER,
            Character.UnicodeScript.MYANMAR);

    private Mentions() {}

    static List<Actor> in(String text, List<ThreadSnapshot.Member> members) {
        List<ThreadSnapshot.Member> longestFirst = members.stream()
                .filter(member -> !member.displayName().isBlank())
                .sorted(Comparator.comparingInt((ThreadSnapshot.Member member) ->
                                member.displayName().length())
                        .reversed())
                .toList();
        Set<Actor> mentioned = new LinkedHashSet<>();
        for (int at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
            if (at > 0 && isPartOfWord(text.codePointBefore(at))) {
                // mail@example.org mentions no participant
                continue;
            }
            int matchedLength = -1;
            for (ThreadSnapshot.Member member : longestFirst) {
                String name = member.displayName();
                if (matchedLength >= 0 && name.length() < matchedLength) {
                    break;
                }
                if (startsWithName(text, at + 1, name)) {
                    mentioned.add(member.actor());
                    matchedLength = name.length();
                }
            }
        }
        return List.copyOf(mentioned);
    }

    private static boolean startsWithName(String text, int at, String name) {
        int end = at + name.length();
        return text.regionMatches(true, at, name, 0, name.length())
                && (end >= text.length() || !isPartOfWord(text.codePointAt(end)));
    }

    /** Scripts that are written without spaces have no word boundaries, so a name may be anywhere in the text. */
    private static boolean isPartOfWord(int character) {
        return Character.isLetterOrDigit(character) && !WITHOUT_SPACES.contains(Character.UnicodeScript.of(character));
    }
}
