package dev.parley.ingest;

import dev.parley.storage.Database;
import dev.parley.storage.SqlArrays;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Stores the origin of the messages in a {@code thread_context}, so that an erasure of these messages finds the copies.
 * An erased message is not quoted again, even if its platform still shows it.
 */
final class ThreadQuotes {
    /** The condition that a message {@code m} is erased, by itself or with its sender. */
    private static final String IS_ERASED = """
            (exists (
                select 1 from erasures x
                where x.subject_actor = m.sender
                    and coalesce(m.said_at, '-infinity') < coalesce(x.said_before, x.requested_at))
            or exists (
                select 1 from inbound_events i join entries e on e.thread_id = i.thread_id and e.seq = i.seq
                where i.source = m.source and i.workspace = m.workspace and i.channel = m.channel
                    and i.external_message_id = m.external_message_id and e.erased_at is not null)
            or exists (
                select 1 from deliveries d join destinations t using (destination_id)
                join entries e on e.thread_id = d.thread_id and e.seq = d.seq
                where d.external_id = m.external_message_id and t.source = m.source and t.workspace = m.workspace
                    and t.channel = m.channel and e.erased_at is not null))""";

    private final Database database;

    ThreadQuotes(Database database) {
        this.database = database;
    }

    /** The ids of those messages that are erased. */
    Set<String> erased(Channel channel, List<EarlierMessage> messages) {
        if (messages.isEmpty()) {
            return Set.of();
        }
        return database.read(handle -> Set.copyOf(handle.createQuery("""
                        select m.external_message_id from (
                            select :source::text as source, :workspace::text as workspace, given.*
                            from unnest(:senders::text[], :channels::text[], :ids::text[], :times::timestamptz[])
                                as given (sender, channel, external_message_id, said_at)) as m
                        where """ + " " + IS_ERASED)
                .bind("source", channel.source())
                .bind("workspace", channel.workspace())
                .bindArray(
                        "senders",
                        String.class,
                        messages.stream().map(each -> each.author().actor()).toArray())
                .bindArray(
                        "channels",
                        String.class,
                        messages.stream().map(each -> channel(channel, each)).toArray())
                .bindArray(
                        "ids",
                        String.class,
                        messages.stream().map(EarlierMessage::externalId).toArray())
                .bindArray(
                        "times",
                        String.class,
                        messages.stream().map(ThreadQuotes::time).toArray())
                .mapTo(String.class)
                .list()));
    }

    /** Stores the quotes of an entry, inside the lane's transaction. Messages erased meanwhile are marked as erased. */
    static void insert(Connection connection, InboundEffect.Quoted quoted) throws SQLException {
        // An erasure takes this lock exclusively before it reads quotes. Therefore the erasure sees these rows, or this
        // statement sees the erasure.
        try (PreparedStatement lock = connection.prepareStatement(QuoteMarks.LOCK_SHARED)) {
            lock.execute();
        }
        List<EarlierMessage> messages = quoted.messages();
        Channel channel = quoted.channel();
        String sql = """
                insert into thread_quotes (thread_id, seq, number, sender, source, workspace, channel,
                    external_message_id, said_at, erased_at)
                select m.thread_id, m.seq, m.number, m.sender, m.source, m.workspace, m.channel, m.external_message_id,
                    m.said_at, case when %s then now() end
                from (
                    select ?::uuid as thread_id, ?::bigint as seq, ?::text as source, ?::text as workspace,
                        number, sender, channel, external_message_id, said_at::timestamptz as said_at
                    from unnest(?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[])
                        as given (number, sender, channel, external_message_id, said_at)) as m""".formatted(IS_ERASED);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, quoted.thread().value());
            statement.setLong(2, quoted.seq());
            statement.setString(3, channel.source());
            statement.setString(4, channel.workspace());
            new SqlArrays(connection, statement, 5)
                    .longs(IntStream.range(0, messages.size()).boxed().toList(), Integer::longValue)
                    .texts(messages, each -> each.author().actor())
                    .texts(messages, each -> channel(channel, each))
                    .texts(messages, EarlierMessage::externalId)
                    .texts(messages, ThreadQuotes::time);
            statement.executeUpdate();
        }
    }

    private static String channel(Channel channel, EarlierMessage message) {
        return Objects.requireNonNullElse(message.channel(), channel.name());
    }

    private static @Nullable String time(EarlierMessage message) {
        return message.saidAt() == null ? null : message.saidAt().toString();
    }
}
