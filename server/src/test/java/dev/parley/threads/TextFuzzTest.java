package dev.parley.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.basics.Text;
import dev.parley.testing.Fuzz;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cursors of lists, and the storable characters of a text. */
class TextFuzzTest {
    private static final String CURSOR = ListCursors.write(
            ListCursors.require("MjAyNi0wMS0wMVQwMDowMDowMFogMDE5OGMwZGUtMDAwMC03MDAwLTgwMDAtMDAwMDAwMDAwMDAx"));

    @Test
    void cursors() {
        Fuzz.eachOrRefused(List.of(CURSOR), List.of("=", "-", "_", "+", "/", "A", "MjAy", " ", "."), text -> {
            ThreadStore.ListCursor read = ListCursors.require(text);
            assertThat(ListCursors.require(ListCursors.write(read))).isEqualTo(read);
        });
    }

    @Test
    void sanitizedTextCanBeStored() {
        Fuzz.each(List.of("abc", "👍🏽"), List.of("\u0000", "\ud83d", "\udc4d", "a", "é", "中"), text -> {
            assertThat(Text.isStorable(Text.mended(text))).isTrue();
            assertThat(Text.mended(text).equals(text)).isEqualTo(Text.isStorable(text));
            assertThat(text).startsWith(Text.startWithin(text, 5));
        });
    }
}
