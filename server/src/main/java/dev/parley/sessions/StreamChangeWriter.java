package dev.parley.sessions;

import dev.parley.agents.ModelRequests;
import dev.parley.agents.model.Prices;
import dev.parley.log.EffectWriter;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.SqlArrays;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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
public final class StreamChangeWriter implements EffectWriter<StreamChange> {
    private static final String UNKNOWN = "";

    /** A total is written only if nothing else is known of what its run has used. */
    private static final String SPEND = """
            with new as (
                select * from unnest(?::uuid[], ?::uuid[], ?::int[], ?::text[], ?::text[], ?::text[], ?::text[], ?::int[],
                    ?::int[], ?::int[], ?::int[], ?::text[], ?::text[], ?::int[], ?::text[], ?::text[])
                    as used (thread_id, task_id, request, agent, spender, provider, model, input_tokens, output_tokens,
                        cached_tokens, reasoning_tokens, cost, currency, total, member_run_id, message_id))
            insert into model_usage (thread_id, task_id, request, agent, spender, provider, model, input_tokens,
                output_tokens, cached_tokens, reasoning_tokens, cost, currency, member_run_id, message_id, created_at)
            select thread_id, task_id, request, agent, spender, provider, model, input_tokens, output_tokens,
                cached_tokens, reasoning_tokens, cost::numeric, currency, member_run_id, message_id, now()
            from new
            where total = 0 or not exists (
                    select 1 from model_usage known
                    where known.thread_id = new.thread_id and known.task_id = new.task_id limit 1)
                and not exists (
                    select 1 from new other
                    where other.thread_id = new.thread_id and other.task_id = new.task_id and other.total = 0)
            on conflict do nothing""";

    /** A request that has made nothing so far has made the first message of its agent that begins after it. */
    private static final String ATTRIBUTE = """
            with made as materialized (
                select * from unnest(?::uuid[], ?::uuid[], ?::text[], ?::text[], ?::int[])
                    as begun (thread_id, task_id, member_run_id, message_id, number)),
            pending as materialized (
                select used.*
                from (select distinct thread_id, task_id from made) as run
                cross join lateral (
                    select thread_id, task_id, request, member_run_id from model_usage u
                    where u.thread_id = run.thread_id and u.task_id = run.task_id and u.message_id is null
                    limit 20000) as used)
            update model_usage u set message_id = chosen.message_id
            from pending cross join lateral (
                select message_id from made
                where made.thread_id = pending.thread_id and made.task_id = pending.task_id
                    and made.member_run_id is not distinct from pending.member_run_id
                    and made.number > pending.request
                order by made.number limit 1) as chosen
            where u.thread_id = pending.thread_id and u.task_id = pending.task_id and u.request = pending.request""";

    /** Laterals with limits, so that a table that was never analysed is not scanned. */
    private static final String MODELS = """
            select wanted.thread_id, wanted.run_id, s.model_provider, s.model
            from unnest(?::uuid[], ?::text[]) as wanted (thread_id, run_id)
            cross join lateral (
                select model_provider, model from session_runs
                where thread_id = wanted.thread_id and run_id = wanted.run_id limit 1) as s""";

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
        List<StreamChange.Made> made = new ArrayList<>();
        for (StreamChange change : changes) {
            switch (change) {
                case StreamChange.Noted each -> noted.add(each);
                case StreamChange.Used each -> used.add(each);
                case StreamChange.Made each -> made.add(each);
            }
        }
        // First what runs say of themselves: what they use may be told without a model's name.
        KnownRuns.note(connection, noted);
        spend(connection, used);
        attribute(connection, made);
    }

    private static void attribute(Connection connection, List<StreamChange.Made> made) throws SQLException {
        if (made.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(ATTRIBUTE)) {
            new SqlArrays(connection, statement)
                    .uuids(made, each -> each.thread().value())
                    .uuids(made, StreamChange.Made::task)
                    .texts(made, StreamChange.Made::member)
                    .texts(made, StreamChange.Made::messageId)
                    .integers(made, StreamChange.Made::number);
            statement.executeUpdate();
        }
    }

    private void spend(Connection connection, List<StreamChange.Used> all) throws SQLException {
        if (all.isEmpty()) {
            return;
        }
        Map<Spender, Named> began = models(
                connection,
                all.stream().map(StreamChangeWriter::spenderOf).distinct().toList());
        List<Row> rows = all.stream()
                .map(used -> row(used, named(used, began.getOrDefault(spenderOf(used), Named.NOTHING))))
                .toList();
        try (PreparedStatement statement = connection.prepareStatement(SPEND)) {
            new SqlArrays(connection, statement)
                    .uuids(rows, row -> row.used().thread().value())
                    .uuids(rows, row -> row.used().task())
                    .integers(rows, row -> row.used().request())
                    .texts(rows, row -> row.used().agent().value())
                    .texts(rows, row -> row.used().spender().value())
                    .texts(rows, Row::provider)
                    .texts(rows, Row::model)
                    .integers(rows, row -> row.usage().inputTokens())
                    .integers(rows, row -> row.usage().outputTokens())
                    .integers(rows, row -> row.usage().cachedTokens())
                    .integers(rows, row -> row.usage().reasoningTokens())
                    .texts(rows, Row::cost)
                    .texts(rows, Row::currency)
                    .integers(rows, row -> row.used().total() ? 1 : 0)
                    .texts(rows, row -> row.used().member())
                    .texts(rows, row -> row.used().messageId());
            statement.executeUpdate();
        }
    }

    /** What was spent, with its price. */
    private record Row(StreamChange.Used used, String provider, String model, ModelRequests.Usage usage) {
        @Nullable
        String cost() {
            BigDecimal cost = used.cost() == null ? usage.cost() : used.cost();
            return cost == null ? null : cost.toPlainString();
        }

        @Nullable
        String currency() {
            return used.cost() == null ? usage.currency() : AgnoTokens.REPORTED_CURRENCY;
        }
    }

    private Row row(StreamChange.Used used, Named model) {
        String provider = Objects.requireNonNullElse(model.provider(), UNKNOWN);
        String name = Objects.requireNonNullElse(model.model(), UNKNOWN);
        return new Row(used, provider, name, used.tokens().priced(provider, name, prices));
    }

    /** A run, as its session knows it. */
    private record Spender(ThreadId thread, String runId) {}

    private static Spender spenderOf(StreamChange.Used used) {
        return new Spender(used.thread(), used.runId());
    }

    private record Named(
            @Nullable String provider, @Nullable String model) {
        static final Named NOTHING = new Named(null, null);
    }

    /** What an event leaves out is as its run said when it began, unless the event speaks of another model. */
    private static Named named(StreamChange.Used used, Named began) {
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
