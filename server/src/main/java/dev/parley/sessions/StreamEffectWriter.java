package dev.parley.sessions;

import dev.parley.agents.ModelRequests;
import dev.parley.agents.model.Prices;
import dev.parley.contexts.UsageRows;
import dev.parley.log.EffectWriter;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.SqlArrays;
import dev.parley.storage.SqlBatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes the facts and the usage of streamed runs, in the transaction of their events. */
public final class StreamEffectWriter implements EffectWriter<StreamEffect> {
    /** Laterals with limits keep PostgreSQL from scanning a table that was never analysed. */
    private static final String MODELS = """
            select wanted.thread_id, wanted.run_id, s.model_provider, s.model
            from unnest(?::uuid[], ?::text[]) as wanted (thread_id, run_id)
            cross join lateral (
                select model_provider, model from session_runs
                where thread_id = wanted.thread_id and run_id = wanted.run_id limit 1) as s""";

    private final Prices prices;
    private final Clock clock;

    public StreamEffectWriter(Prices prices, Clock clock) {
        this.prices = prices;
        this.clock = clock;
    }

    @Override
    public Class<StreamEffect> type() {
        return StreamEffect.class;
    }

    @Override
    public void write(SqlBatch batch, List<StreamEffect> changes) throws SQLException {
        Connection connection = batch.connection();
        Set<StreamEffect.Noted> noted = new LinkedHashSet<>();
        List<StreamEffect.Used> used = new ArrayList<>();
        List<StreamEffect.MessageBegun> made = new ArrayList<>();
        for (StreamEffect effect : changes) {
            switch (effect) {
                case StreamEffect.Noted each -> noted.add(each);
                case StreamEffect.Used each -> used.add(each);
                case StreamEffect.MessageBegun each -> made.add(each);
            }
        }
        // Runs are written first, because usage that names no model takes the model from its run.
        KnownRuns.note(connection, noted);
        spend(connection, used);
        UsageRows.attribute(
                connection,
                made.stream()
                        .map(each -> new UsageRows.MadeMessage(
                                each.thread(), each.task(), each.member(), each.messageId(), each.number()))
                        .toList());
    }

    private void spend(Connection connection, List<StreamEffect.Used> all) throws SQLException {
        if (all.isEmpty()) {
            return;
        }
        Map<Spender, ModelName> began = modelsOf(
                connection,
                all.stream().map(StreamEffectWriter::spenderOf).distinct().toList());
        List<UsageRows.Row> rows = all.stream()
                .map(used -> row(used, modelOf(used, began.getOrDefault(spenderOf(used), ModelName.NONE))))
                .toList();
        UsageRows.insert(connection, rows, clock.instant());
    }

    private UsageRows.Row row(StreamEffect.Used used, ModelName model) {
        String provider = Objects.requireNonNullElse(model.provider(), UsageRows.UNKNOWN);
        String name = Objects.requireNonNullElse(model.model(), UsageRows.UNKNOWN);
        return new UsageRows.Row(
                used.thread(),
                used.task(),
                used.request(),
                used.agent(),
                used.spender(),
                provider,
                name,
                usage(used, used.tokens().priced(provider, name, prices)),
                used.messageId(),
                used.member(),
                used.total());
    }

    /** The usage with its cost. A cost that the provider reports has precedence over the price list. */
    private static ModelRequests.Usage usage(StreamEffect.Used used, ModelRequests.Usage priced) {
        return used.cost() == null
                ? priced
                : new ModelRequests.Usage(
                        priced.inputTokens(),
                        priced.outputTokens(),
                        priced.cachedTokens(),
                        priced.reasoningTokens(),
                        used.cost(),
                        AgnoTokens.REPORTED_CURRENCY);
    }

    /** A run, named by its thread and its run id. */
    private record Spender(ThreadId thread, String runId) {}

    private static Spender spenderOf(StreamEffect.Used used) {
        return new Spender(used.thread(), used.runId());
    }

    private record ModelName(
            @Nullable String provider, @Nullable String model) {
        static final ModelName NONE = new ModelName(null, null);
    }

    /**
     * The model of a usage event. A field that the event leaves out is taken from its run, unless the event names
     * another model.
     */
    private static ModelName modelOf(StreamEffect.Used used, ModelName began) {
        boolean same = used.model() == null || used.model().equals(began.model());
        return new ModelName(
                used.provider() == null && same ? began.provider() : used.provider(),
                used.model() == null ? began.model() : used.model());
    }

    private static Map<Spender, ModelName> modelsOf(Connection connection, List<Spender> spenders) throws SQLException {
        Map<Spender, ModelName> found = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(MODELS)) {
            new SqlArrays(connection, statement)
                    .uuids(spenders, spender -> spender.thread().value())
                    .texts(spenders, Spender::runId);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    found.put(
                            new Spender(new ThreadId(row.getObject(1, UUID.class)), row.getString(2)),
                            new ModelName(row.getString(3), row.getString(4)));
                }
            }
        }
        return found;
    }
}
