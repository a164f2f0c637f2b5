package dev.parley.testing;

import dev.parley.protocol.ProblemException;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Feeds a parser a fixed sequence of nearly valid and invalid texts: random combinations of pieces, and samples with a
 * part cut, repeated, swapped or replaced by a piece. A failure names its text.
 */
public final class Fuzz {
    public static final int CASES = 4_000;

    private static final long SEED = 20_260_101;
    private static final int MAX_CHANGES = 5;
    private static final int MAX_PIECES = 12;

    private Fuzz() {}

    /**
     * @param samples valid texts
     * @param pieces tokens of the parser: separators, quotes, keywords
     */
    public static void each(List<String> samples, List<String> pieces, Consumer<String> check) {
        Random random = new Random(SEED);
        for (int i = 0; i < CASES; i++) {
            String text = random.nextInt(3) == 0 ? joined(pieces, random) : mutated(samples, pieces, random);
            try {
                check.accept(text);
            } catch (RuntimeException | StackOverflowError | AssertionError broken) {
                throw new AssertionError("Case " + i + ": " + text, broken);
            }
        }
    }

    /** The same for a parser that may refuse a text as a caller's error. */
    public static void eachOrRefused(List<String> samples, List<String> pieces, Consumer<String> check) {
        each(samples, pieces, text -> {
            try {
                check.accept(text);
            } catch (ProblemException refused) {
                if (refused.problem().status() >= 500) {
                    throw refused;
                }
            }
        });
    }

    private static String joined(List<String> pieces, Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(MAX_PIECES); i > 0; i--) {
            text.append(piece(pieces, random));
        }
        return text.toString();
    }

    private static String mutated(List<String> samples, List<String> pieces, Random random) {
        StringBuilder text = new StringBuilder(samples.get(random.nextInt(samples.size())));
        for (int i = random.nextInt(MAX_CHANGES); i > 0; i--) {
            int at = random.nextInt(text.length() + 1);
            int end = Math.min(text.length(), at + random.nextInt(4));
            switch (random.nextInt(4)) {
                case 0 -> text.delete(at, end);
                case 1 -> text.insert(at, text.substring(at, end).repeat(1 + random.nextInt(3)));
                case 2 -> text.insert(at, piece(pieces, random));
                default -> text.replace(at, end, piece(pieces, random));
            }
        }
        return text.toString();
    }

    /** A piece, or now and then a random character, or half of one. */
    private static String piece(List<String> pieces, Random random) {
        return random.nextInt(12) == 0
                ? String.valueOf((char) random.nextInt(random.nextBoolean() ? 0x80 : 0x10000))
                : pieces.get(random.nextInt(pieces.size()));
    }
}
