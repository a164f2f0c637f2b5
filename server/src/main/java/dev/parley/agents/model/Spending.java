package dev.parley.agents.model;

import dev.parley.agents.ModelRequests;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The operator's price list for models, and the budget of each user.
 *
 * @param prices by {@code provider/model}, or by the model alone
 * @param perUser the budget of each user; null for none
 */
public record Spending(Map<String, Price> prices, @Nullable Budget perUser, Clock clock) {
    public Spending {
        prices = Map.copyOf(prices);
    }

    /**
     * Prices of a million tokens.
     *
     * @param cachedInput null if cached tokens cost the same as other input
     */
    public record Price(
            BigDecimal input, BigDecimal output, @Nullable BigDecimal cachedInput, String currency) {}

    /** An amount per period; days and months are those of UTC. */
    public record Budget(BigDecimal amount, String currency, Period period) {}

    /** The time after which a budget starts over. */
    public enum Period {
        DAY,
        MONTH;

        Instant start(Instant now) {
            ZonedDateTime day = now.atZone(ZoneOffset.UTC).truncatedTo(ChronoUnit.DAYS);
            return (this == DAY ? day : day.withDayOfMonth(1)).toInstant();
        }
    }

    /** Throws if the run's user has spent the budget. */
    void requireRoom(ModelRequests requests) throws ModelFailure, InterruptedException {
        Budget budget = perUser;
        if (budget == null) {
            return;
        }
        Instant since = budget.period().start(clock.instant());
        BigDecimal spent = UninterruptibleCall.call(() -> requests.spentByUser(since, budget.currency()));
        if (spent.compareTo(budget.amount()) >= 0) {
            throw ModelFailure.budgetExceeded();
        }
    }

    ModelRequests.Usage usage(ModelConfig config, TokenCounts tokens) {
        return new Prices(prices)
                .usage(
                        config.provider().toString(),
                        config.model(),
                        tokens.input(),
                        tokens.output(),
                        tokens.cached(),
                        tokens.reasoning());
    }
}
