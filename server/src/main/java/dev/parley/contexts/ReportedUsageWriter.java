package dev.parley.contexts;

import dev.parley.agents.ModelRequests.Usage;
import dev.parley.agents.model.Prices;
import dev.parley.log.EffectWriter;
import dev.parley.protocol.agui.TokenUsage;
import dev.parley.storage.SqlBatch;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes the usage that agents report, with its cost by the price list. */
public final class ReportedUsageWriter implements EffectWriter<ReportedUsage> {
    private final Prices prices;
    private final Clock clock;

    public ReportedUsageWriter(Prices prices, Clock clock) {
        this.prices = prices;
        this.clock = clock;
    }

    @Override
    public Class<ReportedUsage> type() {
        return ReportedUsage.class;
    }

    @Override
    public void write(SqlBatch batch, List<ReportedUsage> reports) throws SQLException {
        Connection connection = batch.connection();
        List<UsageRows.Row> rows = new ArrayList<>();
        for (ReportedUsage report : reports) {
            for (int i = 0; i < report.requests().size(); i++) {
                rows.add(row(report, i));
            }
        }
        UsageRows.insert(connection, rows, clock.instant());
    }

    private UsageRows.Row row(ReportedUsage report, int request) {
        TokenUsage given = report.requests().get(request);
        Usage usage = prices.reported(
                given.provider(),
                given.model(),
                count(given.inputTokens()),
                count(given.outputTokens()),
                count(given.cachedInputTokens()),
                count(given.reasoningTokens()));
        return new UsageRows.Row(
                report.thread(),
                report.task(),
                request,
                report.agent(),
                report.agent(),
                Objects.requireNonNullElse(given.provider(), UsageRows.UNKNOWN),
                Objects.requireNonNullElse(given.model(), UsageRows.UNKNOWN),
                usage,
                report.messageId(),
                null,
                false);
    }

    private static @Nullable Integer count(@Nullable Long tokens) {
        return tokens == null ? null : Math.clamp(tokens, 0, Integer.MAX_VALUE);
    }
}
