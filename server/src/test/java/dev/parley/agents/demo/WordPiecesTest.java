package dev.parley.agents.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WordPiecesTest {
    @Test
    void wordIncludesTheSpaceAfterIt() {
        assertThat(WordPieces.of("Hello  big\r\n\n world ")).containsExactly("Hello  ", "big\r\n\n ", "world ");
        assertThat(WordPieces.of(" \n")).containsExactly(" \n");
        assertThat(WordPieces.of("")).isEmpty();
    }

    @Test
    void textWithoutSpacesComesInPieces() {
        assertThat(WordPieces.of("今天天气怎么样呢")).containsExactly("今天天气", "怎么样呢");
        assertThat(WordPieces.of("x".repeat(90)).stream().map(String::length)).containsExactly(40, 40, 10);
        assertThat(WordPieces.evenly("{\"a\":1}", 3)).containsExactly("{\"a", "\":1", "}");
    }

    @Test
    void longTextsStayWithinTheLimitOfPieces() {
        String text = "a b ".repeat(100_000);
        for (List<String> pieces : List.of(WordPieces.of(text), WordPieces.evenly(text, 1))) {
            assertThat(pieces).hasSizeLessThanOrEqualTo(WordPieces.MAX_PIECES);
            assertThat(String.join("", pieces)).isEqualTo(text);
        }
    }

    @Test
    void shortenedTextEndsAfterAWholeCharacter() {
        assertThat(WordPieces.shortened("abc", 3)).isEqualTo("abc");
        assertThat(WordPieces.shortened("abcd", 3)).isEqualTo("abc…");
        assertThat(WordPieces.shortened("a👨‍👩‍👧b", 3)).isEqualTo("a…");
        assertThat(WordPieces.shortened("e\u0301".repeat(3), 3)).isEqualTo("e\u0301…");
    }

    @Test
    void piecesJoinToTheTextAndNeverCutACharacter() {
        for (int seed = 0; seed < 2_000; seed++) {
            String text = RandomTexts.of(new Random(seed * 0x9E37_79B9_7F4A_7C15L));
            for (List<String> pieces : List.of(WordPieces.of(text), WordPieces.evenly(text, 2))) {
                assertThat(String.join("", pieces)).as("seed %d", seed).isEqualTo(text);
                List<Integer> cuts = new ArrayList<>();
                int at = 0;
                for (String piece : pieces) {
                    at += piece.length();
                    cuts.add(at);
                }
                BreakIterator graphemes = BreakIterator.getCharacterInstance(Locale.ROOT);
                graphemes.setText(text);
                assertThat(cuts).as("seed %d: %s", seed, pieces).allMatch(graphemes::isBoundary);
            }
        }
    }
}
