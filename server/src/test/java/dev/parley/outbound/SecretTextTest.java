package dev.parley.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretTextTest {
    private final Secrets secrets = new Secrets(Map.of("agno-token", "s$1\\e{cret}", "other", "o"));

    @Test
    void namesAreReplacedInWhicheverSpelling() {
        assertThat(new SecretText("Bearer ${secret:AGNO_TOKEN}, ${secret:agno-token}${secret:Other}").reveal(secrets))
                .contains("Bearer s$1\\e{cret}, s$1\\e{cret}o");
        assertThat(new SecretText("plain").reveal(secrets)).contains("plain");
    }

    @Test
    void missingSecretRevealsNoText() {
        assertThat(new SecretText("${secret:other} ${secret:gone}").reveal(secrets))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "${",
                "${secret:}",
                "${secret:1a}",
                "${secret:a b}",
                "${env:HOME}",
                "${secret:a",
                "${secret:a}${x}"
            })
    void malformedReferenceIsRefused(String text) {
        assertThat(new SecretText(text).isWellFormed()).isFalse();
    }

    @Test
    void secretsAreNeverPrinted() {
        assertThat(secrets.toString()).doesNotContain("cret}");
        SecretText text = new SecretText("Bearer ${secret:agno-token}");
        assertThat(text.toString()).doesNotContain("cret}");
        assertThat(text.hide("token s$1\\e{cret} is bad", secrets)).isEqualTo("token **** is bad");
    }
}
