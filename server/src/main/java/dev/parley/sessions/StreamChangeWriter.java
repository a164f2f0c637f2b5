package dev.parley.sessions;

import dev.parley.agents.ModelRequests;
import dev.parley.agents.model.Prices;
import dev.parley.log.EffectWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes what streamed runs tell of themselves, in the transaction of the events that tell it. */
public final class StreamChangeWriter implements EffectWriter<StreamChange> {
    private static final String UNKNOWN = "";

    private final Prices prices;

    public StreamChangeWriter(Prices prices) {
        this.prices = prices;
    }

    @Override
    public Class<StreamChange> type() {
        return StreamChange.class;
    }

    @Override
    public void write(Connection connection, List<StreamChange> changes) throws SQLException {
        for (StreamChange change : changes) {
            switch (change) {
                case StreamChange.Noted noted -> note(connection, noted);
                case StreamChange.Used used -> spend(connection, used);
            }
        }
    }

    private static void note(Connection connection, StreamChange.Noted noted) throws SQLException {
        update(
                connection,
                """
                insert into session_runs as known (thread_id, run_id, parent_run_id, agent_id, agent_name, team_name,
                    model, model_provider, created_at, updated_at)
                values (?, ?, ?, ?, ?, ?, ?, ?, now(), now())
                on conflict (thread_id, run_id) do update set
                    parent_run_id = coalesce(known.parent_run_id, excluded.parent_run_id),
                    agent_id = coalesce(known.agent_id, excluded.agent_id),
                    agent_name = coalesce(known.agent_name, excluded.agent_name),
                    team_name = coalesce(known.team_name, excluded.team_name),
                    model = coalesce(known.model, excluded.model),
                    model_provider = coalesce(known.model_provider, excluded.model_provider),
                    updated_at = now()""",
                noted.thread().value(),
                noted.runId(),
                noted.parentRunId(),
                noted.agentId(),
                noted.agentName(),
                noted.teamName(),
                noted.model(),
                noted.provider());
    }

    private void spend(Connection connection, StreamChange.Used used) throws SQLException {
        Named model = used.model() == null ? modelOf(connection, used) : new Named(used.provider(), used.model());
        String provider = model.provider() == null ? UNKNOWN : model.provider();
        String name = model.model() == null ? UNKNOWN : model.model();
        AgnoTokens tokens = used.tokens();
        // Agno calls providers by their full names, such as OpenAI; price lists do not.
        ModelRequests.Usage usage = prices.usage(
                provider.toLowerCase(Locale.ROOT),
                name,
                tokens.input(),
                tokens.output(),
                tokens.cached(),
                tokens.reasoning());
        boolean reported = used.cost() != null;
        update(
                connection,
                """
                insert into model_usage (thread_id, task_id, request, agent, spender, provider, model, input_tokens,
                    output_tokens, cached_tokens, reasoning_tokens, cost, currency, created_at)
                select ?, ?, ?, ?, ?, ?, ?, ?::int, ?::int, ?::int, ?::int, ?::numeric, ?, now()
                where not ? or not exists (select 1 from model_usage where thread_id = ? and task_id = ?)
                on conflict do nothing""",
                used.thread().value(),
                used.task(),
                used.request(),
                used.agent().value(),
                used.spender().value(),
                provider,
                name,
                usage.inputTokens(),
                usage.outputTokens(),
                usage.cachedTokens(),
                usage.reasoningTokens(),
                reported ? used.cost() : usage.cost(),
                reported ? AgnoTokens.REPORTED_CURRENCY : usage.currency(),
                used.total(),
                used.thread().value(),
                used.task());
    }

    private record Named(
            @Nullable String provider, @Nullable String model) {}

    /** The model with which the run said that it began. */
    private static Named modelOf(Connection connection, StreamChange.Used used) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "select model_provider, model from session_runs where thread_id = ? and run_id = ?")) {
            statement.setObject(1, used.thread().value());
            statement.setString(2, used.runId());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? new Named(row.getString(1), row.getString(2)) : new Named(null, null);
            }
        }
    }

    private static void update(Connection connection, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }
}
