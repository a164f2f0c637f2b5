package dev.parley.threads;

import dev.parley.log.EffectWriter;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.SqlBatch;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes changes of threads inside the lane's transaction. These changes are rare, so each change has its own
 * statements.
 */
public final class ThreadEffectWriter implements EffectWriter<ThreadEffect> {
    private static final List<String> DELETED_AT_ONCE =
            List.of("participants", "read_marks", "listings", "thread_activity");

    @Override
    public Class<ThreadEffect> type() {
        return ThreadEffect.class;
    }

    @Override
    public void write(SqlBatch batch, List<ThreadEffect> effects) throws SQLException {
        Connection connection = batch.connection();
        for (ThreadEffect effect : effects) {
            write(connection, effect);
        }
    }

    private static void write(Connection connection, ThreadEffect effect) throws SQLException {
        ThreadId thread = effect.thread();
        switch (effect) {
            case ThreadEffect.Renamed renamed ->
                update(
                        connection,
                        "update threads set title = ?, title_seq = null where thread_id = ?",
                        renamed.title(),
                        thread.value());
            case ThreadEffect.Titled titled ->
                update(
                        connection,
                        "update threads set title = ?, title_seq = ? where thread_id = ?",
                        titled.title(),
                        titled.by(),
                        thread.value());
            case ThreadEffect.Archived archived -> {
                for (String table : List.of("threads", "listings")) {
                    update(
                            connection,
                            "update " + table + " set is_archived = ? where thread_id = ?",
                            archived.archived(),
                            thread.value());
                }
            }
            case ThreadEffect.ModeSet set -> writeMode(connection, set);
            case ThreadEffect.Joined joined -> writeMembers(connection, joined);
            case ThreadEffect.Removed removed ->
                remove(connection, thread, removed.member().value());
            case ThreadEffect.Left left ->
                remove(connection, thread, left.member().value());
            case ThreadEffect.CapabilitiesChanged changed ->
                update(
                        connection,
                        "update participants set capabilities = ? where thread_id = ? and actor = ?",
                        changed.capabilities(),
                        thread.value(),
                        changed.member().value());
            case ThreadEffect.Deleted deleted -> {
                update(
                        connection,
                        "update threads set deleted_at = now(), title = null, title_seq = null, reuse_key = null where thread_id = ?",
                        thread.value());
                for (String table : DELETED_AT_ONCE) {
                    update(connection, "delete from " + table + " where thread_id = ?", thread.value());
                }
            }
        }
    }

    private static void writeMode(Connection connection, ThreadEffect.ModeSet set) throws SQLException {
        if (set.agent() == null) {
            update(
                    connection,
                    "update threads set participation_mode = ? where thread_id = ?",
                    set.mode(),
                    set.thread().value());
        } else {
            update(
                    connection,
                    "update participants set participation_mode = ? where thread_id = ? and actor = ?",
                    set.mode(),
                    set.thread().value(),
                    set.agent().value());
        }
    }

    private static void writeMembers(Connection connection, ThreadEffect.Joined joined) throws SQLException {
        for (NewMemberRow member : joined.members()) {
            int inserted = update(
                    connection,
                    """
                    insert into participants (thread_id, actor, display_name, capabilities, joined_at)
                    values (?, ?, ?, ?, now())
                    on conflict (thread_id, actor) do nothing""",
                    joined.thread().value(),
                    member.actor().value(),
                    member.displayName(),
                    member.capabilities());
            if (inserted == 1) {
                writeMarkAndListing(connection, joined.thread(), member);
            }
        }
        clearReuseKey(connection, joined.thread());
    }

    /** A new member has nothing unread: earlier messages count as read. */
    private static void writeMarkAndListing(Connection connection, ThreadId thread, NewMemberRow member)
            throws SQLException {
        update(connection, """
                insert into read_marks (thread_id, actor, last_read_seq)
                select thread_id, ?, last_seq from thread_heads where thread_id = ?""", member.actor().value(), thread.value());
        update(connection, """
                insert into listings (thread_id, actor, is_archived, active_at)
                select thread_id, ?, is_archived, now() from threads where thread_id = ?""", member.actor().value(), thread.value());
    }

    private static void remove(Connection connection, ThreadId thread, String actor) throws SQLException {
        for (String table : List.of("participants", "read_marks", "listings")) {
            update(connection, "delete from " + table + " where thread_id = ? and actor = ?", thread.value(), actor);
        }
        clearReuseKey(connection, thread);
    }

    /** The set of people has changed, so a search for the old set must not find the thread any more. */
    private static void clearReuseKey(Connection connection, ThreadId thread) throws SQLException {
        update(connection, "update threads set reuse_key = null where thread_id = ?", thread.value());
    }

    private static int update(Connection connection, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }
}
