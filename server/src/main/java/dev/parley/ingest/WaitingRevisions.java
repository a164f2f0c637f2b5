package dev.parley.ingest;

import dev.parley.protocol.UuidV7;
import dev.parley.storage.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatement;

/**
 * Revisions of unknown messages. The latest edit, a deletion and a few reactions are stored for each message, and
 * deleted after a week: a message that has not arrived by then was posted before the server listened.
 */
final class WaitingRevisions {
    private static final int MAX_REACTIONS = 20;
    private static final Duration LIFETIME = Duration.ofDays(7);
    /** Number of expired rows that are deleted with each new row. */
    private static final int EXPIRY_BATCH = 100;

    private final Database database;
    private final Clock clock;

    WaitingRevisions(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** @param id the id of this state of the row; a later edit in the same row has another id */
    record Waiting(UUID id, PlatformEvent.Revision revision) {}

    /** True if a message was deleted before it arrived. */
    boolean isDeleted(String source, InboundKeys keys) {
        String message = keys.message();
        return message != null
                && database.read(handle -> bindMessage(
                                handle.createQuery("""
                                select exists (select 1 from inbound_revisions
                                    where source = :source and workspace = :workspace and channel = :channel
                                        and external_message_id = :message and kind = 'deleted')"""),
                                source,
                                new PlatformEvent.MessageRef(
                                        keys.channel().workspace(),
                                        keys.channel().name(),
                                        message,
                                        null))
                        .mapTo(Boolean.class)
                        .one());
    }

    /**
     * True if no later revision of this kind was reported before. Platforms do not keep the order of events. A revision
     * without a time counts as the latest.
     */
    boolean isLatest(String source, PlatformEvent.Revision revision) {
        Instant moment = revision.message().at();
        if (moment == null) {
            return true;
        }
        Row row = Row.of(revision);
        return database.transact(handle -> {
            handle.createUpdate("""
                            delete from revision_times where ctid = any (array(
                                select ctid from revision_times where seen_at < :old
                                order by seen_at limit :most for update skip locked))""")
                    .bind("old", clock.instant().minus(LIFETIME).atOffset(ZoneOffset.UTC))
                    .bind("most", EXPIRY_BATCH)
                    .execute();
            // An equal time also passes: it belongs to a repetition of the same revision, which the key of the revision
            // recognises.
            return bindMessage(handle.createUpdate("""
                            insert into revision_times as r (source, workspace, channel, external_message_id, kind, sender,
                                emoji, happened_at, seen_at)
                            values (:source, :workspace, :channel, :message, :kind, :sender, :emoji, :moment, :now)
                            on conflict (source, workspace, channel, external_message_id, kind, sender, emoji)
                            do update set happened_at = :moment, seen_at = :now where r.happened_at <= :moment"""), source, revision.message())
                            .bind("kind", row.kind())
                            .bind("sender", row.sender())
                            .bind("emoji", row.emoji())
                            .bind("moment", moment.atOffset(ZoneOffset.UTC))
                            .bind("now", clock.instant().atOffset(ZoneOffset.UTC))
                            .execute()
                    == 1;
        });
    }

    void store(String source, PlatformEvent.Revision revision) {
        database.transact(handle -> {
            handle.createUpdate("""
                            delete from inbound_revisions where ctid = any (array(
                                select ctid from inbound_revisions where received_at < :old
                                order by received_at limit :most for update skip locked))""")
                    .bind("old", clock.instant().minus(LIFETIME).atOffset(ZoneOffset.UTC))
                    .bind("most", EXPIRY_BATCH)
                    .execute();
            return insert(handle, source, revision);
        });
    }

    private int insert(Handle handle, String source, PlatformEvent.Revision revision) {
        Row row = Row.of(revision);
        return bindMessage(handle.createUpdate("""
                        insert into inbound_revisions as r (source, workspace, channel, external_message_id, kind, sender,
                            emoji, revision_id, sender_display_name, content, added, external_event_id, received_at)
                        select :source, :workspace, :channel, :message, :kind, :sender, :emoji, :id, :name, :content,
                            :added, :event, :now
                        where (select count(*) from inbound_revisions
                            where source = :source and workspace = :workspace and channel = :channel
                                and external_message_id = :message and kind = 'reacted') < :most or :kind <> 'reacted'
                            or exists (select 1 from inbound_revisions
                                where source = :source and workspace = :workspace and channel = :channel
                                    and external_message_id = :message and kind = :kind and sender = :sender
                                    and emoji = :emoji)
                        on conflict (source, workspace, channel, external_message_id, kind, sender, emoji)
                        do update set revision_id = :id, sender_display_name = :name, content = :content, added = :added,
                            external_event_id = :event, received_at = :now"""), source, revision.message())
                .bind("kind", row.kind())
                .bind("sender", row.sender())
                .bind("emoji", row.emoji())
                .bind("id", UuidV7.next())
                .bind("name", row.name())
                .bind("content", row.content())
                .bind("added", row.added())
                .bind("event", revision.message().eventId())
                .bind("now", OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
                .bind("most", MAX_REACTIONS)
                .execute();
    }

    /** The revisions that wait for a message, in the order of their arrival. */
    List<Waiting> list(String source, PlatformEvent.MessageRef message) {
        return database.read(handle -> bindMessage(handle.createQuery("""
                        select * from inbound_revisions
                        where source = :source and workspace = :workspace and channel = :channel
                            and external_message_id = :message
                        order by received_at, revision_id"""), source, message)
                .map((row, context) -> new Waiting(row.getObject("revision_id", UUID.class), read(row)))
                .list());
    }

    void forget(String source, PlatformEvent.MessageRef message, List<Waiting> applied) {
        database.transact(handle -> bindMessage(handle.createUpdate("""
                        delete from inbound_revisions
                        where source = :source and workspace = :workspace and channel = :channel
                            and external_message_id = :message and revision_id = any (:ids)"""), source, message)
                .bindArray("ids", UUID.class, applied.stream().map(Waiting::id).toArray())
                .execute());
    }

    private static <S extends SqlStatement<S>> S bindMessage(
            S statement, String source, PlatformEvent.MessageRef message) {
        return statement
                .bind("source", source)
                .bind("workspace", message.workspace())
                .bind("channel", message.channel())
                .bind("message", message.externalMessageId());
    }

    /** The columns of a revision in the table. */
    private record Row(String kind, String sender, String emoji, String name, String content, boolean added) {
        static Row of(PlatformEvent.Revision revision) {
            return switch (revision) {
                case PlatformEvent.Edited edited -> new Row("edited", "", "", "", edited.text(), false);
                case PlatformEvent.Deleted deleted -> new Row("deleted", "", "", "", "", false);
                case PlatformEvent.Reacted reacted ->
                    new Row("reacted", reacted.senderId(), reacted.emoji(), reacted.displayName(), "", reacted.added());
            };
        }
    }

    private static PlatformEvent.Revision read(ResultSet row) throws SQLException {
        PlatformEvent.MessageRef message = new PlatformEvent.MessageRef(
                row.getString("workspace"),
                row.getString("channel"),
                row.getString("external_message_id"),
                row.getString("external_event_id"));
        return switch (row.getString("kind")) {
            case "edited" -> new PlatformEvent.Edited(message, row.getString("content"));
            case "deleted" -> new PlatformEvent.Deleted(message);
            default ->
                new PlatformEvent.Reacted(
                        message,
                        row.getString("sender"),
                        row.getString("sender_display_name"),
                        row.getString("emoji"),
                        row.getBoolean("added"));
        };
    }
}
