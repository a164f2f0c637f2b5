package dev.parley.sessions;

import dev.parley.protocol.ThreadId;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Sums the usage of a session on request. A run may report its usage three times: by its requests to models, by the
 * metrics of its messages, and by its total. Only the first existing report counts, so nothing is counted twice.
 */
final class SessionSpending {
    /** Agno's names of its counts; the first three are always known. */
    static final List<String> COUNTS = List.of(
            "input_tokens",
            "output_tokens",
            "total_tokens",
            "audio_input_tokens",
            "audio_output_tokens",
            "audio_total_tokens",
            "cache_read_tokens",
            "cache_write_tokens",
            "reasoning_tokens");

    private static final String SPENT = """
            with requested as (
                -- Requests of a team's members count with the team's own run.
                select r.run_id from runs r where r.thread_id = :thread <runs r> and exists (
                    select from model_usage u
                    where u.thread_id = r.thread_id and u.task_id = coalesce(r.root, r.task_id))),
            spent as (
                select r.run_id, u.model, u.provider, u.input_tokens::numeric as input_tokens,
                    u.output_tokens::numeric as output_tokens,
                    json_build_object('cache_read_tokens', u.cached_tokens, 'reasoning_tokens', u.reasoning_tokens)
                        as counts,
                    u.cost, u.currency
                from model_usage u left join runs r on r.task_id = u.task_id
                where u.thread_id = :thread <runs r>
                union all
                select e.run_id, s.model, s.model_provider, e.input_tokens, e.output_tokens, e.usage, e.cost,
                    e.cost_currency
                from chat_events e
                left join session_runs s on s.thread_id = e.thread_id and s.run_id = e.run_id
                where e.thread_id = :thread <runs e> and (e.usage is not null or e.cost is not null)
                    and not exists (select from requested q where q.run_id = e.run_id)
                union all
                select s.run_id, s.model, s.model_provider, (s.usage ->> 'input_tokens')::numeric,
                    (s.usage ->> 'output_tokens')::numeric, s.usage, s.cost, s.cost_currency
                from session_runs s
                where s.thread_id = :thread <runs s> and (s.usage is not null or s.cost is not null)
                    and not exists (select from requested q where q.run_id = s.run_id)
                    and not exists (
                        select from chat_events e where e.thread_id = s.thread_id and e.run_id = s.run_id
                            and (e.usage is not null or e.cost is not null)))
            select <grouped>, currency, <sums>, sum(cost) as cost from spent
            group by <grouped>, currency order by <grouped>, currency""";

    private SessionSpending() {}

    /**
     * The usage of one model, or of one run, at prices of one currency.
     *
     * @param counts the counts by name, for all names in {@link #COUNTS}
     * @param cost null if no price is known; the currency is null as well
     */
    record Used(
            @Nullable String runId,
            @Nullable String model,
            @Nullable String provider,
            Map<String, BigInteger> counts,
            @Nullable BigDecimal cost,
            @Nullable String currency) {}

    /** The usage of the whole session by model. */
    static List<Used> byModel(Handle handle, ThreadId thread) {
        return handle.createQuery(sql("model, provider", ""))
                .bind("thread", thread.value())
                .map((row, context) -> used(row, null, row.getString("model"), row.getString("provider")))
                .list();
    }

    /** The usage of the named runs. */
    static Map<String, List<Used>> byRun(Handle handle, ThreadId thread, Collection<String> runs) {
        Map<String, List<Used>> found = new HashMap<>();
        handle.createQuery(sql("run_id", "and $1.run_id = any (:runs)"))
                .bind("thread", thread.value())
                .bindArray("runs", String.class, runs.toArray())
                .map((row, context) -> used(row, row.getString("run_id"), null, null))
                .forEach(each -> found.computeIfAbsent(String.valueOf(each.runId()), run -> new ArrayList<>())
                        .add(each));
        return found;
    }

    private static String sql(String grouped, String ofRuns) {
        String sums = COUNTS.stream()
                .map(name -> "sum(coalesce(" + count(name) + ", 0)) as " + name)
                .collect(Collectors.joining(", "));
        return SPENT.replaceAll("<runs (.)>", ofRuns)
                .replace("<grouped>", grouped)
                .replace("<sums>", sums);
    }

    /** A total is the provider's number, even if it is not the sum of its parts. */
    private static String count(String name) {
        return switch (name) {
            case "input_tokens", "output_tokens" -> name;
            case "total_tokens" ->
                "(counts ->> 'total_tokens')::numeric, coalesce(input_tokens, 0) + coalesce(output_tokens, 0)";
            default -> "(counts ->> '" + name + "')::numeric";
        };
    }

    private static Used used(ResultSet row, @Nullable String run, @Nullable String model, @Nullable String provider)
            throws SQLException {
        Map<String, BigInteger> counts = new LinkedHashMap<>();
        for (String name : COUNTS) {
            counts.put(name, row.getBigDecimal(name).toBigInteger());
        }
        return new Used(run, model, provider, counts, row.getBigDecimal("cost"), row.getString("currency"));
    }
}
