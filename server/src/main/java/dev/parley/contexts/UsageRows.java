package dev.parley.contexts;

import dev.parley.agents.ModelRequests.Usage;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.SqlArrays;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The only writer of the table {@code model_usage}: one row per request to a model, written once. Only the id of the
 * message that the request created may be added later.
 */
public final class UsageRows {
    /** An unnamed provider or model. */
    public static final String UNKNOWN = "";

    private static final String INSERT = """
            with new as (
                select * from unnest(?::uuid[], ?::uuid[], ?::int[], ?::text[], ?::text[], ?::text[], ?::text[], ?::int[],
                    ?::int[], ?::int[], ?::int[], ?::text[], ?::text[], ?::int[], ?::text[], ?::text[])
                    as used (thread_id, task_id, request, agent, spender, provider, model, input_tokens, output_tokens,
                        cached_tokens, reasoning_tokens, cost, currency, total, member_run_id, message_id))
            insert into model_usage (thread_id, task_id, request, agent, spender, provider, model, input_tokens,
                output_tokens, cached_tokens, reasoning_tokens, cost, currency, member_run_id, message_id, created_at)
            select thread_id, task_id, request, agent, spender, provider, model, input_tokens, output_tokens,
                cached_tokens, reasoning_tokens, cost::numeric, currency, member_run_id, message_id, ?
            from new
            where total = 0 or not exists (
                    select 1 from model_usage known
                    where known.thread_id = new.thread_id and known.task_id = new.task_id limit 1)
                and not exists (
                    select 1 from new other
                    where other.thread_id = new.thread_id and other.task_id = new.task_id and other.total = 0)
            on conflict do nothing""";

    /** Gives each request without a message the first message of the same agent that begins after the request. */
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

    private static final int ARRAYS = 16;

    private UsageRows() {}

    /**
     * A request and its spender.
     *
     * @param request the number of the request in its run
     * @param messageId the id of the message that the request created; null if there is none
     * @param member the id of the child run that made the request; null for the task's own run
     * @param total true for the usage of the whole run, which is written only if no single request of the run is known
     */
    public record Row(
            ThreadId thread,
            UUID task,
            int request,
            Actor agent,
            Actor spender,
            String provider,
            String model,
            Usage usage,
            @Nullable String messageId,
            @Nullable String member,
            boolean total) {
        private @Nullable String cost() {
            BigDecimal cost = usage.cost();
            return cost == null ? null : cost.toPlainString();
        }
    }

    /**
     * A message of a run that is reported after the requests for it.
     *
     * @param member the id of the child run that created the message; null for the task's own run
     * @param number the exclusive upper bound for the number of the request that created the message
     */
    public record MadeMessage(
            ThreadId thread, UUID task, @Nullable String member, String messageId, int number) {}

    /** Inserts all rows by one statement; existing rows stay unchanged. */
    public static void insert(Connection connection, List<Row> rows, Instant now) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            new SqlArrays(connection, statement)
                    .uuids(rows, row -> row.thread().value())
                    .uuids(rows, Row::task)
                    .integers(rows, Row::request)
                    .texts(rows, row -> row.agent().value())
                    .texts(rows, row -> row.spender().value())
                    .texts(rows, Row::provider)
                    .texts(rows, Row::model)
                    .integers(rows, row -> row.usage().inputTokens())
                    .integers(rows, row -> row.usage().outputTokens())
                    .integers(rows, row -> row.usage().cachedTokens())
                    .integers(rows, row -> row.usage().reasoningTokens())
                    .texts(rows, Row::cost)
                    .texts(rows, row -> row.usage().currency())
                    .integers(rows, row -> row.total() ? 1 : 0)
                    .texts(rows, Row::member)
                    .texts(rows, Row::messageId);
            statement.setTimestamp(ARRAYS + 1, Timestamp.from(now));
            statement.executeUpdate();
        }
    }

    /** Adds the created messages to requests without a message, by one statement. */
    public static void attribute(Connection connection, List<MadeMessage> made) throws SQLException {
        if (made.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(ATTRIBUTE)) {
            new SqlArrays(connection, statement)
                    .uuids(made, each -> each.thread().value())
                    .uuids(made, MadeMessage::task)
                    .texts(made, MadeMessage::member)
                    .texts(made, MadeMessage::messageId)
                    .integers(made, MadeMessage::number);
            statement.executeUpdate();
        }
    }
}
