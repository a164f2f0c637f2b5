package dev.parley.ingest;

import dev.parley.storage.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/**
 * Lets one inbound request at a time read the history of a platform's thread, on any node. The claim is a lease on the
 * binding's row. One transaction stores the message with the history and settles the claim, so a crash cannot separate
 * the two.
 */
final class HistoryClaims {
    private final Database database;

    HistoryClaims(Database database) {
        this.database = database;
    }

    /** The state of a thread's history for an inbound request. */
    enum State {
        /** The request has the claim and reads the history. */
        GRANTED,
        /** The history has been read. */
        READ,
        /** Another request reads the history. */
        BUSY,
        /** An attempt failed, and the next attempt is not due yet. */
        PAUSED
    }

    State claim(Channel channel, UUID holder, Duration lease) {
        State state = find(channel);
        if (state != State.GRANTED) {
            return state;
        }
        boolean granted = database.transact(handle -> Bindings.bind(handle.createUpdate("""
                                update bindings set holder = :holder, held_until = now() + make_interval(secs => :lease)
                                where source = :source and workspace = :workspace and place = :place
                                    and channel = :channel and external_thread = :external
                                    and history_read_at is null and (held_until is null or held_until <= now())
                                    and (history_next_at is null or history_next_at <= now())"""), channel)
                        .bind("holder", holder)
                        .bind("lease", seconds(lease))
                        .execute()
                == 1);
        return granted ? State.GRANTED : State.BUSY;
    }

    private State find(Channel channel) {
        return database.read(handle -> Bindings.bind(handle.createQuery("""
                        select case when history_read_at is not null then 'READ'
                            when held_until > now() then 'BUSY'
                            when history_next_at > now() then 'PAUSED'
                            else 'GRANTED' end
                        from bindings
                        where source = :source and workspace = :workspace and place = :place
                            and channel = :channel and external_thread = :external"""), channel)
                .mapTo(String.class)
                .findOne()
                .map(State::valueOf)
                .orElse(State.READ));
    }

    /** Releases a claim whose outcome was not stored. */
    void release(Channel channel, UUID holder) {
        database.transact(handle -> Bindings.bind(handle.createUpdate("""
                        update bindings set holder = null, held_until = null
                        where source = :source and workspace = :workspace and place = :place
                            and channel = :channel and external_thread = :external and holder = :holder"""), channel)
                .bind("holder", holder)
                .execute());
    }

    /** Ends a claim inside the lane's transaction. */
    static void settle(Connection connection, InboundEffect.HistoryRead read) throws SQLException {
        Duration pause = read.retryAfter();
        Channel channel = read.channel();
        try (PreparedStatement statement = connection.prepareStatement("""
                update bindings set history_read_at = case when ?::float8 is null then now() end,
                    history_next_at = now() + make_interval(secs => ?::float8), holder = null, held_until = null
                where source = ? and workspace = ? and place = ? and channel = ? and external_thread = ?
                    and holder = ?""")) {
            statement.setObject(1, pause == null ? null : seconds(pause));
            statement.setObject(2, pause == null ? null : seconds(pause));
            statement.setString(3, channel.source());
            statement.setString(4, channel.workspace());
            statement.setString(5, channel.scope().wire());
            statement.setString(6, channel.name());
            statement.setString(7, channel.thread());
            statement.setObject(8, read.holder());
            statement.executeUpdate();
        }
    }

    private static double seconds(Duration time) {
        return time.toMillis() / 1_000.0;
    }
}
