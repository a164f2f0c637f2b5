package dev.parley.agents.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProviderErrorTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '~',
            value = {
                "{'error':{'message':'Kein Guthaben 余额不足 💸','code':7}};Kein Guthaben 余额不足 💸",
                "{'error':'model not found'};model not found",
                "{'message':'nope'};nope",
                "{'detail':'Not Found'};Not Found",
                "[{'error':{'message':'gone'}}];gone",
                "404 page not found;404 page not found",
                "{'error':{'code':1}};{'error':{'code':1}}",
            })
    void answer_givesItsMessage(String answer, String words) {
        assertThat(ProviderError.of(answer.replace('\'', '"'), UnaryOperator.identity()))
                .isEqualTo(words.replace('\'', '"'));
    }

    @Test
    void keys_areMasked() {
        assertThat(ProviderError.of(
                        "Incorrect API key provided: sk-proj-abc***xyz9. AIzaSyD-1234567 Bearer abcdefgh12 my-own-secret",
                        text -> text.replace("my-own-secret", "****")))
                .isEqualTo("Incorrect API key provided: **** **** **** ****");
    }

    @Test
    void message_isOneLineAndBounded() {
        assertThat(ProviderError.of("one\r\n\ttwo\u202E three", UnaryOperator.identity()))
                .isEqualTo("one two three");
        String fits = "长".repeat(ProviderError.MAX_LENGTH);
        assertThat(ProviderError.of(fits, UnaryOperator.identity())).isEqualTo(fits);
        assertThat(ProviderError.of(fits + "👋", UnaryOperator.identity())).isEqualTo(fits + "…");
        assertThat(ProviderError.of(" \n ", UnaryOperator.identity())).isNull();
        assertThat(ProviderError.of(null, UnaryOperator.identity())).isNull();
    }
}
