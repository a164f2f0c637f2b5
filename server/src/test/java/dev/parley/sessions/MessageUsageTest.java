package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.agents.model.Prices;
import dev.parley.agents.model.Spending;
import dev.parley.protocol.Json;
import java.math.BigDecimal;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The tokens and the cost of a message's metrics. */
class MessageUsageTest {
    private static final Prices PRICES = new Prices(Map.of(
            "openai/m", price("2"),
            "m", price("1"),
            "null/n", price("9")));

    private static Spending.Price price(String input) {
        return new Spending.Price(new BigDecimal(input), BigDecimal.ZERO, null, "EUR");
    }

    private static JsonNode metrics(String json) {
        return Json.MAPPER.readTree(json);
    }

    private static final JsonNode MILLION = metrics("{\"input_tokens\": 1000000}");

    @Test
    void modelIsPricedWithAndWithoutItsProvider() {
        assertThat(MessageUsage.of(MILLION, "OpenAI", "m", PRICES).cost()).isEqualByComparingTo("2");
        assertThat(MessageUsage.of(MILLION, "Other", "m", PRICES).cost()).isEqualByComparingTo("1");
        assertThat(MessageUsage.of(MILLION, null, "m", PRICES).cost()).isEqualByComparingTo("1");
    }

    @Test
    void nullIsNoProvidersName() {
        assertThat(MessageUsage.of(MILLION, null, "n", PRICES).cost()).isNull();
        assertThat(MessageUsage.of(MILLION, "openai", null, PRICES).cost()).isNull();
    }

    @Test
    void streamedAndPostedNumbersAreReadAlike() {
        for (String number : new String[] {"7", "7.9", "-1", "1e30", "1e400", "\"7\"", "null", "0.0"}) {
            JsonNode metrics = metrics("{\"input_tokens\": " + number + ", \"output_tokens\": 1}");
            Long told = MessageUsage.of(metrics, null, null, PRICES).inputTokens();
            Integer streamed = AgnoTokens.in(metrics).orElseThrow().input();
            assertThat(streamed)
                    .as(number)
                    .isEqualTo(told == null ? null : (Integer) (int) Math.min(told, Integer.MAX_VALUE));
        }
    }

    @Test
    void onlyKnownNamesAreKept() {
        assertThat(MessageUsage.of(
                                metrics("{\"reasoning_tokens\": 2, \"x_tokens\": 1, \"\\u0000_tokens\": 1}"),
                                null,
                                null,
                                PRICES)
                        .counts())
                .isEqualTo("{\"reasoning_tokens\":2}");
        assertThat(MessageUsage.of(metrics("[]"), null, null, PRICES).counts()).isNull();
    }
}
