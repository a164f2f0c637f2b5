package dev.parley.sessions;

import dev.parley.log.EffectWriter;
import dev.parley.protocol.Json;
import dev.parley.storage.SqlArrays;
import dev.parley.storage.SqlBatch;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes chat events and the runs that they name, inside the lane's transaction. */
public final class ChatEventWriter implements EffectWriter<ChatEventEffect> {
    private static final String INSERT = """
            insert into chat_events (thread_id, seq, event_id, message_id, role, agent_id, agent_name, team_name, user_id,
                run_id, parent_run_id, message_data, media, fingerprint, input_tokens, output_tokens, usage, cost,
                cost_currency, covers, created_at)
            select thread_id, seq, event_id, message_id, role, agent_id, agent_name, team_name, user_id, run_id,
                parent_run_id, message_data::json, media::json, fingerprint, input_tokens, output_tokens, usage::json,
                cost::numeric, cost_currency, covers::bigint[], created_at::timestamptz
            from unnest(?::uuid[], ?::bigint[], ?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                ?::text[], ?::text[], ?::text[], ?::text[], ?::bytea[], ?::bigint[], ?::bigint[], ?::text[], ?::text[],
                ?::text[], ?::text[], ?::text[])
                with ordinality
                as new (thread_id, seq, event_id, message_id, role, agent_id, agent_name, team_name, user_id, run_id,
                    parent_run_id, message_data, media, fingerprint, input_tokens, output_tokens, usage, cost,
                    cost_currency, covers, created_at, nth)
            order by nth
            on conflict do nothing""";

    /** A chat event with its seq. */
    private record Row(ChatEventEffect effect, long seq, Instant createdAt) {
        ChatEventRow event() {
            return effect.row();
        }
    }

    @Override
    public Class<ChatEventEffect> type() {
        return ChatEventEffect.class;
    }

    @Override
    public void write(SqlBatch batch, List<ChatEventEffect> changes) throws SQLException {
        Connection connection = batch.connection();
        List<Row> rows = new ArrayList<>();
        for (ChatEventEffect effect : changes) {
            switch (effect) {
                case ChatEventEffect.Brought _ -> {}
                case ChatEventEffect.Placed placed -> rows.add(new Row(placed, placed.seq(), placed.createdAt()));
                case ChatEventEffect.Beside beside -> rows.add(new Row(beside, beside.seq(), beside.createdAt()));
            }
        }
        if (rows.isEmpty()) {
            return;
        }
        insert(connection, rows);
        KnownRuns.note(
                connection,
                rows.stream()
                        .filter(row -> row.event().runId() != null)
                        .map(ChatEventWriter::noted)
                        .toList());
    }

    private static void insert(Connection connection, List<Row> rows) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            new SqlArrays(connection, statement)
                    .uuids(rows, row -> row.effect().thread().value())
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
                    .texts(rows, row -> covers(row.effect()))
                    .texts(rows, row -> row.createdAt().toString());
            statement.executeUpdate();
        }
    }

    private static @Nullable String covers(ChatEventEffect effect) {
        return effect instanceof ChatEventEffect.Beside beside
                        && !beside.covers().isEmpty()
                ? beside.covers().stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"))
                : null;
    }

    private static @Nullable String media(ChatEventRow event) {
        return event.media().isEmpty() ? null : Json.MAPPER.writeValueAsString(event.media());
    }

    private static @Nullable String text(@Nullable BigDecimal number) {
        return number == null ? null : number.toPlainString();
    }

    private static StreamEffect.Noted noted(Row row) {
        NewChatEvent.Wrapper wrapper = row.event().wrapper();
        return new StreamEffect.Noted(
                row.effect().thread(),
                Objects.requireNonNull(wrapper.runId()),
                row.event().by(),
                wrapper.parentRunId(),
                wrapper.agentId(),
                wrapper.agentName(),
                wrapper.teamName(),
                wrapper.model(),
                wrapper.modelProvider(),
                row.createdAt());
    }
}
