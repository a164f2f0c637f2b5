package dev.parley.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Long answers are cut at the best border, and each part can be shown by itself. */
class SplittingTest {
    private static int codePoints(String text) {
        return text.codePointCount(0, text.length());
    }

    private static List<String> split(String text, int limit) {
        return new Splitting(limit, 50, SplittingTest::codePoints).split(text);
    }

    @Test
    void textWithinTheLimitIsOnePart() {
        assertThat(split("x".repeat(100), 100)).containsExactly("x".repeat(100));
        assertThat(split("x".repeat(101), 100)).hasSize(2);
        assertThat(split("", 100)).isEmpty();
        assertThat(split(" \n ", 100)).isEmpty();
    }

    @Test
    void textIsCutBetweenParagraphsLinesAndWords() {
        String paragraph = "word ".repeat(12).strip();
        assertThat(split(paragraph + "\n\n" + paragraph, 100)).containsExactly(paragraph, paragraph);
        assertThat(split(paragraph + "\n" + paragraph, 100)).containsExactly(paragraph, paragraph);
        assertThat(split("word ".repeat(40), 100)).allMatch(part -> part.endsWith("word") && part.startsWith("word"));
    }

    @Test
    void codeIsClosedAndOpenedAgain() {
        String code = "```java\n" + "int a = 1;\n".repeat(30) + "```\nafter";
        List<String> parts = split(code, 150);
        assertThat(parts).hasSizeGreaterThan(2).allMatch(part -> part.length() <= 150);
        assertThat(parts.subList(0, parts.size() - 1))
                .allMatch(part -> part.startsWith("```java\n") && part.endsWith("\n```"));
        assertThat(String.join("\n", parts).replace("\n```\n```java", "")).isEqualTo(code);
    }

    @Test
    void longerFencesAreNotClosedByShorterOnes() {
        String code = "````md\n```\n" + "text\n".repeat(40) + "```\n````";
        List<String> parts = split(code, 120);
        assertThat(parts.subList(0, parts.size() - 1)).allMatch(part -> part.endsWith("\n````"));
    }

    @Test
    void fencesInQuotationsListsAndForeignLineEndsAreKeptWhole() {
        for (String margin : List.of("> ", "    ", "")) {
            for (String end : List.of("\n", "\r\n")) {
                String code = margin + "```java" + end + (margin + "int a = 1;" + end).repeat(40) + margin + "```";
                for (String part : split(code, 150)) {
                    assertThat(part.lines().filter(line -> line.contains("```")).count() % 2)
                            .as(part)
                            .isZero();
                }
            }
        }
    }

    @Test
    void blanksAreNoPart() {
        assertThat(split("a" + " ".repeat(500) + "b", 100))
                .extracting(String::strip)
                .containsExactly("a", "b");
        assertThat(split("\n".repeat(500) + "b", 100)).containsExactly("b");
    }

    @Test
    void graphemesAreNotCut() {
        String family = "👨‍👩‍👧‍👦";
        for (String part : split(family.repeat(40), 100)) {
            assertThat(part.replace(family, "")).isEmpty();
        }
        String combining = "e\u0301".repeat(150);
        assertThat(split(combining, 101)).allMatch(part -> part.startsWith("e") && part.endsWith("\u0301"));
    }

    @Test
    void tooManyPartsEndWithANote() {
        List<String> parts = new Splitting(100, 3, SplittingTest::codePoints).split("word ".repeat(200));
        assertThat(parts).hasSize(3).allMatch(part -> part.length() <= 100);
        assertThat(parts.getLast()).endsWith(Splitting.CUT_NOTE);
    }

    /** The lane splits texts, while other messages wait for it. */
    @Test
    void longTextIsReadOnlyAsFarAsNeeded() {
        AtomicLong looked = new AtomicLong();
        String text = "a<b>&c word ".repeat(40_000);
        List<String> parts = new Splitting(3_500, 50, piece -> {
                    looked.addAndGet(piece.length());
                    return codePoints(piece);
                })
                .split(text);
        assertThat(parts).hasSize(50);
        assertThat(looked.get()).isLessThan(50L * 3_500 * 40);
    }

    /** For random texts no part is too large or empty, and every word is there once, in order. */
    @Test
    void partsKeepAllWordsWithinTheLimit() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<String> pieces = List.of(
                "word ",
                "\n",
                "\n\n",
                "```\n",
                "```§\n",
                "~~~\n",
                "中文字",
                "العربية ",
                "😀",
                "    indented ",
                "x".repeat(90));
        for (int i = 0; i < 2_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(60); n > 0; n--) {
                text.append(pieces.get(random.nextInt(pieces.size())));
            }
            List<String> parts = split(text.toString(), 120);
            assertThat(parts).as("seed " + seed).allMatch(part -> codePoints(part) <= 120);
            assertThat(parts).as("seed " + seed).noneMatch(String::isBlank);
            assertThat(words(String.join("", parts))).as("seed " + seed).isEqualTo(words(text.toString()));
        }
    }

    private static String words(String text) {
        return text.replaceAll("[\\s`~]", "").replace("§", "");
    }
}
