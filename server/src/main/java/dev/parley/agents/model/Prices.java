package dev.parley.agents.model;

import dev.parley.agents.ModelRequests;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An operator's price list for tokens. It applies to requests from the server's agents and from external agents.
 *
 * @param byModel prices by {@code provider/model}, or by the model alone
 */
public record Prices(Map<String, Spending.Price> byModel) {
    private static final int MILLION = 6;

    public Prices {
        byModel = Map.copyOf(byModel);
    }

    /** The counts with their cost. The cost is null if the model has no price, or if all counts are null. */
    ModelRequests.Usage usage(
            String provider,
            String model,
            @Nullable Integer input,
            @Nullable Integer output,
            @Nullable Integer cached,
            @Nullable Integer reasoning) {
        Optional<Spending.Price> price = input == null && output == null && cached == null && reasoning == null
                ? Optional.empty()
                : of(provider, model);
        return new ModelRequests.Usage(
                input,
                output,
                cached,
                reasoning,
                price.map(each -> cost(each, orNone(input), orNone(output), orNone(cached)))
                        .orElse(null),
                price.map(Spending.Price::currency).orElse(null));
    }

    /**
     * The usage that an external agent reports; the agent may write the provider's name with capitals, such as OpenAI.
     */
    public ModelRequests.Usage reported(
            @Nullable String provider,
            @Nullable String model,
            @Nullable Integer input,
            @Nullable Integer output,
            @Nullable Integer cached,
            @Nullable Integer reasoning) {
        if (model == null) {
            return new ModelRequests.Usage(input, output, cached, reasoning, null, null);
        }
        String listed = provider == null ? "" : provider.toLowerCase(Locale.ROOT);
        return usage(listed, model, input, output, cached, reasoning);
    }

    private Optional<Spending.Price> of(String provider, String model) {
        return Optional.ofNullable(byModel.getOrDefault(provider + "/" + model, byModel.get(model)));
    }

    private static int orNone(@Nullable Integer tokens) {
        return tokens == null ? 0 : tokens;
    }

    private static BigDecimal cost(Spending.Price price, int input, int output, int allCached) {
        int cached = Math.min(allCached, input);
        BigDecimal cachedPrice = price.cachedInput() == null ? price.input() : price.cachedInput();
        return price.input()
                .multiply(BigDecimal.valueOf(input - cached))
                .add(cachedPrice.multiply(BigDecimal.valueOf(cached)))
                .add(price.output().multiply(BigDecimal.valueOf(output)))
                .movePointLeft(MILLION);
    }
}
