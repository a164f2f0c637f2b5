package dev.parley.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of configured headers: printable ASCII and tabs. */
class HeaderRulesTest {
    @Test
    void value_mayHoldTabs() {
        assertThat(HeaderRules.isValue("a\tb ~!\\t")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "a\rb", "a\u0000b", "ä", "\u007f"})
    void value_withControlOrOtherLetters_isInvalid(String value) {
        assertThat(HeaderRules.isValue(value)).isFalse();
    }
}
