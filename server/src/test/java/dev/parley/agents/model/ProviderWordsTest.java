package dev.parley.agents.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProviderWordsTest {
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
    void answer_givesTheMessageThatPeopleRead(String answer, String words) {
        assertThat(ProviderWords.of(answer.replace('\'', '"'), UnaryOperator.identity()))
                .isEqualTo(words.replace('\'', '"'));
    }

    @Test
    void keys_areMasked() {
        assertThat(ProviderWords.of(
                        "Incorrect API key provided: sk-proj-abc***xyz9. AIzaSyD-1234567 Bearer abcdefgh12 my-own-secret",
                        text -> text.replace("my-own-secret", "****")))
                .isEqualTo("Incorrect API key provided: **** **** **** ****");
    }

    @Test
    void words_areOneLineAndBounded() {
        assertThat(ProviderWords.of("one\r\n\ttwo\u202E three", UnaryOperator.identity()))
                .isEqualTo("one two three");
        String fits = "长".repeat(ProviderWords.MAX_LENGTH);
        assertThat(ProviderWords.of(fits, UnaryOperator.identity())).isEqualTo(fits);
        assertThat(ProviderWords.of(fits + "👋", UnaryOperator.identity())).isEqualTo(fits + "…");
        assertThat(ProviderWords.of(" \n ", UnaryOperator.identity())).isNull();
        assertThat(ProviderWords.of(null, UnaryOperator.identity())).isNull();
    }
}
