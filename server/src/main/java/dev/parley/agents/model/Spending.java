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
 * What models cost, by an operator's price list, and how much of it one user may spend.
 *
 * @param prices by {@code provider/model}, or by the model alone
 * @param perUser null for no budget
 */
public record Spending(Map<String, Price> prices, @Nullable Budget perUser, Clock clock) {
    public Spending {
        prices = Map.copyOf(prices);
    }

    /**
     * What a million tokens cost.
     *
     * @param cachedInput null if they cost what the others do
     */
    public record Price(
            BigDecimal input, BigDecimal output, @Nullable BigDecimal cachedInput, String currency) {}

    /** How much in which time; days and months are those of UTC. */
    public record Budget(BigDecimal amount, String currency, Period period) {}

    /** When a budget begins anew. */
    public enum Period {
        DAY,
        MONTH;

        Instant start(Instant now) {
            ZonedDateTime day = now.atZone(ZoneOffset.UTC).truncatedTo(ChronoUnit.DAYS);
            return (this == DAY ? day : day.withDayOfMonth(1)).toInstant();
        }
    }

    /** Refuses another request of a user who has spent the budget. */
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
