package dev.parley.sessions;

import dev.parley.log.EffectWriter;
import dev.parley.protocol.Json;
import dev.parley.storage.SqlArrays;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes chat events and the runs that they name, inside the lane's transaction. */
public final class ChatEventWriter implements EffectWriter<ChatEventChange> {
    private static final String INSERT = """
            insert into chat_events (thread_id, seq, event_id, message_id, role, agent_id, agent_name, team_name, user_id,
                run_id, parent_run_id, message_data, media, fingerprint, input_tokens, output_tokens, usage, cost,
                cost_currency, created_at)
            select thread_id, seq, event_id, message_id, role, agent_id, agent_name, team_name, user_id, run_id,
                parent_run_id, message_data::json, media::json, fingerprint, input_tokens, output_tokens, usage::json,
                cost::numeric, cost_currency, created_at::timestamptz
            from unnest(?::uuid[], ?::bigint[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                ?::text[], ?::text[], ?::text[], ?::text[], ?::bytea[], ?::bigint[], ?::bigint[], ?::text[], ?::text[],
                ?::text[], ?::text[])
                as new (thread_id, seq, event_id, message_id, role, agent_id, agent_name, team_name, user_id, run_id,
                    parent_run_id, message_data, media, fingerprint, input_tokens, output_tokens, usage, cost,
                    cost_currency, created_at)
            on conflict do nothing""";

    /** What is known of a run stays; what was not known is filled in. */
    private static final String RUNS = """
            insert into session_runs as known (thread_id, run_id, parent_run_id, agent_id, agent_name, team_name, model,
                model_provider, created_at, updated_at)
            select thread_id, run_id, parent_run_id, agent_id, agent_name, team_name, model, model_provider,
                created_at::timestamptz, created_at::timestamptz
            from unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[])
                as new (thread_id, run_id, parent_run_id, agent_id, agent_name, team_name, model, model_provider,
                    created_at)
            on conflict (thread_id, run_id) do update set
                parent_run_id = coalesce(known.parent_run_id, excluded.parent_run_id),
                agent_id = coalesce(known.agent_id, excluded.agent_id),
                agent_name = coalesce(known.agent_name, excluded.agent_name),
                team_name = coalesce(known.team_name, excluded.team_name),
                model = coalesce(known.model, excluded.model),
                model_provider = coalesce(known.model_provider, excluded.model_provider),
                updated_at = excluded.updated_at""";

    /** A chat event at its place. */
    private record Row(ChatEventChange change, long seq, Instant createdAt) {
        ChatEventRow event() {
            return change.row();
        }
    }

    @Override
    public Class<ChatEventChange> type() {
        return ChatEventChange.class;
    }

    @Override
    public void write(Connection connection, List<ChatEventChange> changes) throws SQLException {
        List<Row> rows = new ArrayList<>();
        for (ChatEventChange change : changes) {
            switch (change) {
                case ChatEventChange.Brought _ -> {}
                case ChatEventChange.Placed placed -> rows.add(new Row(placed, placed.seq(), placed.createdAt()));
                case ChatEventChange.Beside beside -> rows.add(new Row(beside, beside.seq(), beside.createdAt()));
            }
        }
        if (rows.isEmpty()) {
            return;
        }
        insert(connection, rows);
        Map<List<Object>, Row> runs = new LinkedHashMap<>();
        for (Row row : rows) {
            String run = row.event().runId();
            if (run != null) {
                runs.merge(List.of(row.change().thread(), run), row, ChatEventWriter::better);
            }
        }
        if (!runs.isEmpty()) {
            insertRuns(connection, List.copyOf(runs.values()));
        }
    }

    /** A person's message may name the run that it starts; who runs it is said by the others. */
    private static Row better(Row one, Row other) {
        return one.event().wrapper().agentName() == null
                        && one.event().wrapper().agentId() == null
                        && one.event().wrapper().teamName() == null
                ? other
                : one;
    }

    private static void insert(Connection connection, List<Row> rows) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            new SqlArrays(connection, statement)
                    .uuids(rows, row -> row.change().thread().value())
                    .longs(rows, Row::seq)
                    .uuids(rows, row -> row.event().id())
                    .texts(rows, row -> row.event().messageId())
                    .texts(rows, row -> row.event().role())
                    .texts(rows, row -> row.event().wrapper().agentId())
                    .texts(rows, row -> row.event().wrapper().agentName())
                    .texts(rows, row -> row.event().wrapper().teamName())
                    .texts(rows, row -> row.event().wrapper().userId())
                    .texts(rows, row -> row.event().runId())
                    .texts(rows, row -> row.event().wrapper().parentRunId())
                    .texts(rows, row -> row.event().json())
                    .texts(rows, row -> media(row.event()))
                    .bytes(rows, row -> row.event().fingerprint().bytes())
                    .longs(rows, row -> row.event().usage().inputTokens())
                    .longs(rows, row -> row.event().usage().outputTokens())
                    .texts(rows, row -> row.event().usage().counts())
                    .texts(rows, row -> text(row.event().usage().cost()))
                    .texts(rows, row -> row.event().usage().currency())
                    .texts(rows, row -> row.createdAt().toString());
            statement.executeUpdate();
        }
    }

    private static @Nullable String media(ChatEventRow event) {
        return event.media().isEmpty() ? null : Json.MAPPER.writeValueAsString(event.media());
    }

    private static @Nullable String text(@Nullable BigDecimal number) {
        return number == null ? null : number.toPlainString();
    }

    private static void insertRuns(Connection connection, List<Row> rows) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(RUNS)) {
            new SqlArrays(connection, statement)
                    .uuids(rows, row -> row.change().thread().value())
                    .texts(rows, row -> Objects.requireNonNull(row.event().runId()))
                    .texts(rows, row -> row.event().wrapper().parentRunId())
                    .texts(rows, row -> row.event().wrapper().agentId())
                    .texts(rows, row -> row.event().wrapper().agentName())
                    .texts(rows, row -> row.event().wrapper().teamName())
                    .texts(rows, row -> row.event().wrapper().model())
                    .texts(rows, row -> row.event().wrapper().modelProvider())
                    .texts(rows, row -> row.createdAt().toString());
            statement.executeUpdate();
        }
    }
}
