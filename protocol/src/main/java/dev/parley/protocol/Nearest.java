package dev.parley.protocol;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name that a misspelled name probably means. */
public final class Nearest {
    /** The most typing mistakes in a misspelling. Names that differ more are different names. */
    private static final int TYPING_MISTAKES = 2;
    /**
     * The length of the longest name to compare. A longer name does not count as a misspelling, because a comparison
     * costs the product of both lengths.
     */
    private static final int MAX_COMPARED = 64;

    private Nearest() {}

    public static String of(String word, Collection<String> known) {
        return known.stream()
                .min(Comparator.<String>comparingInt(name -> distance(word, name))
                        .thenComparing(Comparator.naturalOrder()))
                .orElseThrow();
    }

    /**
     * The known name that a word evidently misspells. The word has the same letters in another case or with other
     * separators ({@code agent_id}), or at most two typing mistakes ({@code agntId}). Empty if the word itself is a
     * known name.
     */
    public static Optional<String> misspelt(String word, Collection<String> known) {
        if (known.contains(word) || word.length() > MAX_COMPARED) {
            return Optional.empty();
        }
        String letters = letters(word);
        return known.stream()
                .filter(name -> distance(letters, letters(name)) <= TYPING_MISTAKES)
                .min(Comparator.<String>comparingInt(name -> distance(letters, letters(name)))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** The known name that a word equals except for case and separators: {@code agent_id}, {@code AgentID}. */
    public static Optional<String> variant(String word, Collection<String> known) {
        if (known.contains(word) || word.length() > MAX_COMPARED) {
            return Optional.empty();
        }
        String letters = letters(word);
        return known.stream().filter(name -> letters.equals(letters(name))).findFirst();
    }

    private static String letters(String name) {
        return name.replace("_", "").replace("-", "").toLowerCase(Locale.ROOT);
    }

    /**
     * The least number of insertions, deletions, replacements and swaps of neighbours that turn one word into the
     * other.
     */
    public static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                boolean same = a.charAt(i - 1) == b.charAt(j - 1);
                int replaced = cost[i - 1][j - 1] + (same ? 0 : 1);
                cost[i][j] = Math.min(replaced, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
                }
            }
        }
        return cost[a.length()][b.length()];
    }
}
