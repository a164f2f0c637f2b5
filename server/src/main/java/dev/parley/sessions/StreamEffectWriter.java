package dev.parley.sessions;

import dev.parley.agents.ModelRequests;
import dev.parley.agents.model.Prices;
import dev.parley.contexts.UsageRows;
import dev.parley.log.EffectWriter;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.SqlArrays;
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

/** Writes what streamed runs tell of themselves, in the transaction of the events that tell it. */
public final class StreamEffectWriter implements EffectWriter<StreamEffect> {
    /** Laterals with limits, so that a table that was never analysed is not scanned. */
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
    public void write(Connection connection, List<StreamEffect> changes) throws SQLException {
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
        // First what runs say of themselves: what they use may be told without a model's name.
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
        Map<Spender, Named> began = models(
                connection,
                all.stream().map(StreamEffectWriter::spenderOf).distinct().toList());
        List<UsageRows.Row> rows = all.stream()
                .map(used -> row(used, named(used, began.getOrDefault(spenderOf(used), Named.NOTHING))))
                .toList();
        UsageRows.insert(connection, rows, clock.instant());
    }

    private UsageRows.Row row(StreamEffect.Used used, Named model) {
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

    /** The provider's own report of the cost counts before the price list. */
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

    /** A run, as its session knows it. */
    private record Spender(ThreadId thread, String runId) {}

    private static Spender spenderOf(StreamEffect.Used used) {
        return new Spender(used.thread(), used.runId());
    }

    private record Named(
            @Nullable String provider, @Nullable String model) {
        static final Named NOTHING = new Named(null, null);
    }

    /** What an event leaves out is as its run said when it began, unless the event speaks of another model. */
    private static Named named(StreamEffect.Used used, Named began) {
        boolean same = used.model() == null || used.model().equals(began.model());
        return new Named(
                used.provider() == null && same ? began.provider() : used.provider(),
                used.model() == null ? began.model() : used.model());
    }

    private static Map<Spender, Named> models(Connection connection, List<Spender> spenders) throws SQLException {
        Map<Spender, Named> found = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(MODELS)) {
            new SqlArrays(connection, statement)
                    .uuids(spenders, spender -> spender.thread().value())
                    .texts(spenders, Spender::runId);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    found.put(
                            new Spender(new ThreadId(row.getObject(1, UUID.class)), row.getString(2)),
                            new Named(row.getString(3), row.getString(4)));
                }
            }
        }
        return found;
    }
}
