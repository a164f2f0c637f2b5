package dev.parley.sessions;

import dev.parley.protocol.Actor;
import dev.parley.storage.SqlArrays;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Records the runs of a session, from any source. Known values of a run stay; unknown values are filled in. */
final class KnownRuns {
    private static final String NOTE = """
            insert into session_runs as known (thread_id, run_id, started_by, parent_run_id, agent_id, agent_name, team_name, model,
                model_provider, created_at, updated_at)
            select thread_id, run_id,
                coalesce(
                    (select r.started_by from runs r where r.thread_id = new.thread_id and r.run_id = new.run_id),
                    started_by),
                parent_run_id, agent_id, agent_name, team_name, model, model_provider,
                coalesce(at::timestamptz, now()), now()
            from unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                ?::text[])
                as new (thread_id, run_id, started_by, parent_run_id, agent_id, agent_name, team_name, model, model_provider, at)
            on conflict (thread_id, run_id) do update set
                parent_run_id = coalesce(known.parent_run_id, excluded.parent_run_id),
                agent_id = coalesce(known.agent_id, excluded.agent_id),
                agent_name = coalesce(known.agent_name, excluded.agent_name),
                team_name = coalesce(known.team_name, excluded.team_name),
                model = coalesce(known.model, excluded.model),
                model_provider = coalesce(known.model_provider, excluded.model_provider),
                updated_at = excluded.updated_at""";

    private KnownRuns() {}

    static void note(Connection connection, Collection<StreamEffect.Noted> all) throws SQLException {
        // One statement may insert or update each run only once.
        Map<List<Object>, StreamEffect.Noted> byRun = new LinkedHashMap<>();
        all.forEach(each -> byRun.merge(List.of(each.thread(), each.runId()), each, KnownRuns::merge));
        if (byRun.isEmpty()) {
            return;
        }
        Collection<StreamEffect.Noted> rows = byRun.values();
        try (PreparedStatement statement = connection.prepareStatement(NOTE)) {
            new SqlArrays(connection, statement)
                    .uuids(rows, row -> row.thread().value())
                    .texts(rows, StreamEffect.Noted::runId)
                    .texts(rows, row -> {
                        Actor by = row.startedBy();
                        return by == null ? null : by.value();
                    })
                    .texts(rows, row -> row.runId().equals(row.parentRunId()) ? null : row.parentRunId())
                    .texts(rows, StreamEffect.Noted::agentId)
                    .texts(rows, StreamEffect.Noted::agentName)
                    .texts(rows, StreamEffect.Noted::teamName)
                    .texts(rows, StreamEffect.Noted::model)
                    .texts(rows, StreamEffect.Noted::provider)
                    .texts(rows, row -> {
                        Instant at = row.at();
                        return at == null ? null : at.toString();
                    });
            statement.executeUpdate();
        }
    }

    private static StreamEffect.Noted merge(StreamEffect.Noted one, StreamEffect.Noted other) {
        return new StreamEffect.Noted(
                one.thread(),
                one.runId(),
                first(one.startedBy(), other.startedBy()),
                first(one.parentRunId(), other.parentRunId()),
                first(one.agentId(), other.agentId()),
                first(one.agentName(), other.agentName()),
                first(one.teamName(), other.teamName()),
                first(one.model(), other.model()),
                first(one.provider(), other.provider()),
                first(one.at(), other.at()));
    }

    private static <T> @Nullable T first(@Nullable T one, @Nullable T other) {
        return one == null ? other : one;
    }
}
