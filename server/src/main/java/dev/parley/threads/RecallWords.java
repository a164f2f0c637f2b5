package dev.parley.threads;

import dev.parley.protocol.ThreadId;
import java.lang.Character.UnicodeScript;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The words of a text in their searchable form: lower case, without combining marks. Scripts without spaces between
 * words are split into pairs of characters.
 */
final class RecallWords {
    private static final int MAX_WORDS = 32;
    private static final int MAX_WORD = 64;
    private static final Set<UnicodeScript> WITHOUT_SPACES = Set.of(
            UnicodeScript.HAN,
            UnicodeScript.HIRAGANA,
            UnicodeScript.KATAKANA,
            UnicodeScript.THAI,
            UnicodeScript.LAO,
            UnicodeScript.KHMER,
            UnicodeScript.MYANMAR);

    private RecallWords() {}

    /** The word that all messages of a thread share, so that the index finds the messages of one thread alone. */
    static String ofThread(ThreadId thread) {
        return "t" + thread.toString().replace("-", "");
    }

    static String in(String text) {
        return String.join(" ", words(text));
    }

    /** A query for any word of a text, in the syntax of PostgreSQL; empty if the text has no words. */
    static String query(String text) {
        return new LinkedHashSet<>(words(text))
                .stream().limit(MAX_WORDS).map(word -> "'" + word + "'").collect(Collectors.joining(" | "));
    }

    /**
     * The words of a text. They contain only letters and digits, so that no character has a special meaning in a query.
     */
    private static List<String> words(String text) {
        String plain = Normalizer.normalize(text, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        int before = -1;
        for (int character : plain.codePoints().toArray()) {
            boolean dense = WITHOUT_SPACES.contains(UnicodeScript.of(character)) && Character.isLetter(character);
            if (dense) {
                finish(word, words);
                if (before >= 0) {
                    words.add(Character.toString(before) + Character.toString(character));
                }
                before = character;
            } else {
                before = -1;
                if (Character.isLetterOrDigit(character)) {
                    word.appendCodePoint(character);
                } else if (Character.getType(character) != Character.NON_SPACING_MARK) {
                    finish(word, words);
                }
            }
        }
        finish(word, words);
        return words;
    }

    private static void finish(StringBuilder word, List<String> words) {
        if (word.length() > 1 && word.length() <= MAX_WORD) {
            words.add(word.toString());
        }
        word.setLength(0);
    }
}
