package dev.parley.ingest;

import dev.parley.log.EffectWriter;
import dev.parley.storage.SqlArrays;
import dev.parley.storage.SqlBatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Writes inbound events inside the lane's transaction. */
public final class InboundWriter implements EffectWriter<InboundEffect> {
    /** PostgreSQL's code of a serialization failure, after which the lane retries the batch. */
    private static final String SERIALIZATION_FAILURE = "40001";

    @Override
    public Class<InboundEffect> type() {
        return InboundEffect.class;
    }

    @Override
    public void write(SqlBatch batch, List<InboundEffect> effects) throws SQLException {
        Connection connection = batch.connection();
        List<InboundEffect.Placed> placed = new ArrayList<>();
        for (InboundEffect effect : effects) {
            switch (effect) {
                case InboundEffect.Received received -> {}
                case InboundEffect.Placed each -> placed.add(each);
                case InboundEffect.Raised raised -> raise(connection, raised);
                case InboundEffect.HistoryRead read -> HistoryClaims.settle(connection, read);
                case InboundEffect.Quoted quoted -> ThreadQuotes.insert(connection, quoted);
            }
        }
        if (!placed.isEmpty()) {
            insert(connection, placed);
        }
    }

    private static void insert(Connection connection, List<InboundEffect.Placed> rows) throws SQLException {
        String sql = """
                insert into inbound_events (event_id, source, workspace, place, channel, external_message_id,
                    external_event_id, sender, bot, thread_id, seq, message_id, run, reason, run_id, dispatch_type,
                    dispatch_config, received_at)
                select event_id, source, workspace, place, channel, message, event, sender, bot = 1, thread_id, seq,
                    message_id, run = 1, reason, run_id, dispatch_type, config::json, received_at::timestamptz
                from unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                    ?::bigint[], ?::uuid[], ?::bigint[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[],
                    ?::text[])
                    as new (event_id, source, workspace, place, channel, message, event, sender, bot, thread_id, seq,
                        message_id, run, reason, run_id, dispatch_type, config, received_at)
                order by source, workspace, event, place, channel, message
                on conflict do nothing""";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new SqlArrays(connection, statement)
                    .uuids(rows, row -> row.event().id())
                    .texts(rows, row -> channel(row).source())
                    .texts(rows, row -> channel(row).workspace())
                    .texts(rows, row -> channel(row).scope().wire())
                    .texts(rows, row -> channel(row).name())
                    .texts(rows, row -> row.event().keys().message())
                    .texts(rows, row -> row.event().keys().event())
                    .texts(rows, row -> row.event().sender().value())
                    .longs(rows, row -> row.event().bot() ? 1L : 0L)
                    .uuids(rows, row -> row.event().thread().value())
                    .longs(rows, InboundEffect.Placed::seq)
                    .texts(rows, InboundEffect.Placed::messageId)
                    .longs(rows, row -> row.verdict().run() ? 1L : 0L)
                    .texts(rows, row -> row.verdict().reason())
                    .texts(rows, row -> row.verdict().runId())
                    .texts(rows, row -> row.event().dispatchType())
                    .texts(rows, row -> row.event().dispatchConfig())
                    .texts(rows, row -> row.event().receivedAt().toString());
            if (statement.executeUpdate() < rows.size()) {
                // Another lane or node stored the message meanwhile; the next attempt finds its row, and refuses.
                throw new SQLException("Another transaction stored the inbound message", SERIALIZATION_FAILURE);
            }
        }
    }

    private static Channel channel(InboundEffect.Placed row) {
        return row.event().keys().channel();
    }

    private static void raise(Connection connection, InboundEffect.Raised raised) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("""
                update inbound_events set run = ?, reason = ?, run_id = ?, raised_at = now() where event_id = ?""")) {
            statement.setBoolean(1, raised.verdict().run());
            statement.setString(2, raised.verdict().reason());
            statement.setString(3, raised.verdict().runId());
            statement.setObject(4, raised.id());
            statement.executeUpdate();
        }
    }
}
