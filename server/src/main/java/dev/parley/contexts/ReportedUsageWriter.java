package dev.parley.contexts;

import dev.parley.agents.ModelRequests.Usage;
import dev.parley.agents.model.Prices;
import dev.parley.log.EffectWriter;
import dev.parley.protocol.agui.TokenUsage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes the usage that agents report, with its cost by the price list. */
public final class ReportedUsageWriter implements EffectWriter<ReportedUsage> {
    private static final String UNKNOWN = "";

    private static final String INSERT = """
            insert into model_usage (thread_id, task_id, request, agent, spender, message_id, provider, model,
                input_tokens, output_tokens, cached_tokens, reasoning_tokens, cost, currency, created_at)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, now())
            on conflict do nothing""";

    private final Prices prices;

    public ReportedUsageWriter(Prices prices) {
        this.prices = prices;
    }

    @Override
    public Class<ReportedUsage> type() {
        return ReportedUsage.class;
    }

    @Override
    public void write(Connection connection, List<ReportedUsage> reports) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            for (ReportedUsage report : reports) {
                for (int i = 0; i < report.requests().size(); i++) {
                    add(statement, report, i);
                }
            }
            statement.executeBatch();
        }
    }

    private void add(PreparedStatement statement, ReportedUsage report, int request) throws SQLException {
        TokenUsage given = report.requests().get(request);
        Usage usage = prices.reported(
                given.provider(),
                given.model(),
                count(given.inputTokens()),
                count(given.outputTokens()),
                count(given.cachedInputTokens()),
                count(given.reasoningTokens()));
        statement.setObject(1, report.thread().value());
        statement.setObject(2, report.task());
        statement.setInt(3, request);
        statement.setString(4, report.agent().value());
        statement.setString(5, report.agent().value());
        statement.setString(6, report.messageId());
        statement.setString(7, Objects.requireNonNullElse(given.provider(), UNKNOWN));
        statement.setString(8, Objects.requireNonNullElse(given.model(), UNKNOWN));
        statement.setObject(9, usage.inputTokens(), Types.INTEGER);
        statement.setObject(10, usage.outputTokens(), Types.INTEGER);
        statement.setObject(11, usage.cachedTokens(), Types.INTEGER);
        statement.setObject(12, usage.reasoningTokens(), Types.INTEGER);
        statement.setBigDecimal(13, usage.cost());
        statement.setString(14, usage.currency());
        statement.addBatch();
    }

    private static @Nullable Integer count(@Nullable Long tokens) {
        return tokens == null ? null : Math.clamp(tokens, 0, Integer.MAX_VALUE);
    }
}
