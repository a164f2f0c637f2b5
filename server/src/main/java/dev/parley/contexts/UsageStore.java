package dev.parley.contexts;

import dev.parley.agents.ModelRequests.Usage;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Stores the usage of requests to models, one row per request, and sums the costs when asked. */
final class UsageStore {
    private final Database database;

    UsageStore(Database database) {
        this.database = database;
    }

    /** Stores a row once; a repeated report changes nothing. */
    void keep(UsageRows.Row row, Instant now) {
        database.transact(handle -> {
            try {
                UsageRows.insert(handle.getConnection(), List.of(row), now);
            } catch (SQLException failed) {
                throw new IllegalStateException("Could not write the usage of run " + row.task(), failed);
            }
            return row;
        });
    }

    BigDecimal spent(Actor spender, Instant since, String currency) {
        return database.read(handle -> handle.createQuery("""
                        select coalesce(sum(cost), 0) from model_usage
                        where spender = :spender and currency = :currency and created_at >= :since""")
                .bind("spender", spender.value())
                .bind("currency", currency)
                .bind("since", since.atOffset(ZoneOffset.UTC))
                .mapTo(BigDecimal.class)
                .one());
    }

    /** The usage of the runs' requests, in order. */
    Map<UUID, List<RequestUsage>> of(ThreadId thread, List<UUID> tasks) {
        Map<UUID, List<RequestUsage>> found = new HashMap<>();
        database.read(handle -> handle.createQuery("""
                        select * from model_usage where thread_id = :thread and task_id = any (:tasks)
                        order by task_id, request""")
                        .bind("thread", thread.value())
                        .bindArray("tasks", UUID.class, tasks.toArray())
                        .map((row, context) -> Map.entry(row.getObject("task_id", UUID.class), read(row)))
                        .list())
                .forEach(each -> found.computeIfAbsent(each.getKey(), task -> new ArrayList<>())
                        .add(each.getValue()));
        return found;
    }

    private static RequestUsage read(ResultSet row) throws SQLException {
        return new RequestUsage(
                row.getInt("request"),
                row.getString("provider"),
                row.getString("model"),
                new Usage(
                        number(row, "input_tokens"),
                        number(row, "output_tokens"),
                        number(row, "cached_tokens"),
                        number(row, "reasoning_tokens"),
                        row.getBigDecimal("cost"),
                        row.getString("currency")));
    }

    private static @Nullable Integer number(ResultSet row, String column) throws SQLException {
        int number = row.getInt(column);
        return row.wasNull() ? null : number;
    }
}
