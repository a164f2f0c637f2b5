package dev.parley.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OneLineTest {
    @Test
    void breaksBecomeSpacesAndInvisibleCharactersAreRemoved() {
        assertThat(OneLine.of(" a\r\nb\u2028c\u0085d\te\u200b\u202e\u2066\u00ad\ufeff\ud800f ", 100))
                .isEqualTo("a b c d ef");
    }

    @Test
    void lineLengthCountsCodePoints() {
        assertThat(OneLine.of("😀".repeat(4), 3)).isEqualTo("😀".repeat(3));
        assertThat(OneLine.of("😀".repeat(3), 3)).isEqualTo("😀".repeat(3));
        assertThat(OneLine.of("\u200b".repeat(9) + "abc", 3)).isEqualTo("abc");
    }

    @Test
    void escapedLineWritesInvisibleCharactersOut() {
        assertThat(OneLine.escaped("a\u202eb\nc 好")).isEqualTo("a\\u{202e}b\\u{a}c 好");
    }
}
