package dev.parley.sessions;

import dev.parley.agents.ModelRequests;
import dev.parley.agents.model.Prices;
import dev.parley.log.EffectWriter;
import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes what streamed runs tell of themselves, in the transaction of the events that tell it. */
public final class StreamChangeWriter implements EffectWriter<StreamChange> {
    private static final String UNKNOWN = "";

    /** A total is written only if nothing else is known of what its run has used. */
    private static final String SPEND = """
            insert into model_usage (thread_id, task_id, request, agent, spender, provider, model, input_tokens,
                output_tokens, cached_tokens, reasoning_tokens, cost, currency, created_at)
            select ?, ?, ?, ?, ?, ?, ?, ?::int, ?::int, ?::int, ?::int, ?::numeric, ?, now()
            where not ? or not exists (select 1 from model_usage where thread_id = ? and task_id = ?)
            on conflict do nothing""";

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
        Set<StreamChange.Noted> noted = new LinkedHashSet<>();
        List<StreamChange.Used> used = new ArrayList<>();
        for (StreamChange change : changes) {
            switch (change) {
                case StreamChange.Noted each -> noted.add(each);
                case StreamChange.Used each -> used.add(each);
            }
        }
        // First what runs say of themselves: what they use may be told without a model's name.
        KnownRuns.note(connection, noted);
        spend(connection, used);
    }

    private void spend(Connection connection, List<StreamChange.Used> all) throws SQLException {
        if (all.isEmpty()) {
            return;
        }
        Map<Spender, Named> began = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(SPEND)) {
            for (StreamChange.Used used : all) {
                Spender spender = new Spender(used.thread(), used.runId());
                if (!began.containsKey(spender)) {
                    began.put(spender, modelOf(connection, spender));
                }
                add(statement, row(used, named(used, Objects.requireNonNull(began.get(spender)))));
            }
            statement.executeBatch();
        }
    }

    private @Nullable Object[] row(StreamChange.Used used, Named model) {
        String provider = Objects.requireNonNullElse(model.provider(), UNKNOWN);
        String name = Objects.requireNonNullElse(model.model(), UNKNOWN);
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
        return new @Nullable Object[] {
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
            used.task()
        };
    }

    /** A run, as its session knows it. */
    private record Spender(ThreadId thread, String runId) {}

    private record Named(
            @Nullable String provider, @Nullable String model) {}

    /** What an event leaves out is as its run said when it began, unless the event speaks of another model. */
    private static Named named(StreamChange.Used used, Named began) {
        boolean same = used.model() == null || used.model().equals(began.model());
        return new Named(
                used.provider() == null && same ? began.provider() : used.provider(),
                used.model() == null ? began.model() : used.model());
    }

    private static Named modelOf(Connection connection, Spender spender) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "select model_provider, model from session_runs where thread_id = ? and run_id = ?")) {
            statement.setObject(1, spender.thread().value());
            statement.setString(2, spender.runId());
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? new Named(row.getString(1), row.getString(2)) : new Named(null, null);
            }
        }
    }

    private static void add(PreparedStatement statement, @Nullable Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        statement.addBatch();
    }
}
