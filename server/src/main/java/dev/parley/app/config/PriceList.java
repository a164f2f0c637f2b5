package dev.parley.app.config;

import dev.parley.agents.model.Spending;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the prices of models and the budget of each user. */
record PriceList(YamlTree.Read tree) {
    private static final List<String> OF_PRICE = List.of("input", "output", "cached_input", "currency");
    private static final List<String> OF_BUDGET = List.of("amount", "currency", "period");

    Map<String, Spending.Price> prices() {
        Map<String, Spending.Price> prices = new LinkedHashMap<>();
        JsonNode given = tree.root().path("prices");
        if (given.isMissingNode() || given.isNull()) {
            return prices;
        }
        if (!given.isObject()) {
            throw tree.wrong("prices", "must be a map of models to prices");
        }
        given.forEachEntry((model, price) -> prices.put(model, price("prices." + model, price)));
        return prices;
    }

    private Spending.Price price(String path, JsonNode given) {
        AgentsFile.requireKnown(tree, path, given, OF_PRICE);
        return new Spending.Price(
                amount(path + ".input", given.path("input")),
                amount(path + ".output", given.path("output")),
                given.has("cached_input") ? amount(path + ".cached_input", given.path("cached_input")) : null,
                currency(path, given));
    }

    Spending.@Nullable Budget perUser() {
        JsonNode budgets = tree.root().path("budgets");
        if (budgets.isMissingNode() || budgets.isNull()) {
            return null;
        }
        AgentsFile.requireKnown(tree, "budgets", budgets, List.of("per_user"));
        JsonNode given = budgets.path("per_user");
        if (given.isMissingNode() || given.isNull()) {
            return null;
        }
        String path = "budgets.per_user";
        AgentsFile.requireKnown(tree, path, given, OF_BUDGET);
        Spending.Period period = switch (given.path("period").asString("")) {
            case "day" -> Spending.Period.DAY;
            case "month" -> Spending.Period.MONTH;
            default -> throw tree.wrong(path + ".period", "must be day or month");
        };
        return new Spending.Budget(amount(path + ".amount", given.path("amount")), currency(path, given), period);
    }

    private BigDecimal amount(String path, JsonNode given) {
        if (!given.isNumber()
                || given.decimalValue().signum() < 0
                || given.decimalValue().scale() > 12) {
            throw tree.wrong(path, "must be a number, not negative, with at most 12 digits after the point");
        }
        return given.decimalValue();
    }

    private String currency(String path, JsonNode given) {
        String currency = given.path("currency").asString("");
        if (!currency.matches("[A-Z]{3}")) {
            throw tree.wrong(path + ".currency", "must be a code of three letters such as USD");
        }
        return currency;
    }
}
