package dev.parley.sessions;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.FactSource;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunEffect;
import dev.parley.runs.lifecycle.RunOwners;
import dev.parley.storage.SqlArrays;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The facts by which chat events are judged, read under the locks of their threads' heads.
 *
 * @param known the posted message ids that are chat events already
 * @param streamed the runs that commands assume to be unstreamed, but that were streamed
 * @param posted the runs that commands begin to stream, but whose answers were posted already
 * @param statuses the state of the messages that were chosen for chat events
 * @param owners the owners of the runs that commands join or begin
 */
record ChatEventFacts(
        Set<Name> known,
        Set<Name> streamed,
        Set<Name> posted,
        Map<EntryRef, MessageStatus> statuses,
        Map<RunOwners.Name, List<RunOwners>> owners) {
    private static final ChatEventFacts NONE = new ChatEventFacts(Set.of(), Set.of(), Set.of(), Map.of(), Map.of());

    private static final String KNOWN = """
            select wanted.thread_id, wanted.id
            from unnest(?::uuid[], ?::text[]) as wanted (thread_id, id)
            cross join lateral (
                select 1 from chat_events c
                where c.thread_id = wanted.thread_id and c.message_id = wanted.id limit 1) as found""";

    private static final String STREAMED = """
            select wanted.thread_id, wanted.id
            from unnest(?::uuid[], ?::text[]) as wanted (thread_id, id)
            cross join lateral (
                select 1 from runs r where r.thread_id = wanted.thread_id and r.run_id = wanted.id limit 1) as found""";

    private static final String POSTED = """
            select wanted.thread_id, wanted.id
            from unnest(?::uuid[], ?::text[]) as wanted (thread_id, id)
            cross join lateral (
                select 1 from chat_events c
                where c.thread_id = wanted.thread_id and c.run_id = wanted.id
                    and c.role not in (%s) limit 1) as found""".formatted(String.join(
            ", ",
            MessageReading.rolesOfOthers().stream()
                    .map(role -> "'" + role + "'")
                    .toList()));

    private static final String STATUSES = """
            select wanted.thread_id, wanted.seq,
                exists (
                    select 1 from chat_events c
                    where c.thread_id = wanted.thread_id and c.seq = wanted.seq limit 1),
                greatest(
                    (select e.seq from entries e
                    where e.thread_id = wanted.thread_id and e.target_seq = wanted.seq and e.kind = 1
                    order by e.seq desc limit 1),
                    (select e.seq from entries e
                    where e.thread_id = wanted.thread_id and e.target_seq = wanted.seq and e.kind = 2
                    order by e.seq desc limit 1))
            from unnest(?::uuid[], ?::bigint[]) as wanted (thread_id, seq)""";

    /** A client's id of a message or of a run in a thread. */
    record Name(ThreadId thread, String id) {}

    record EntryRef(ThreadId thread, long seq) {}

    /**
     * @param taken true if a chat event is stored beside the message
     * @param revisedAt the seq of the message's last edit or deletion; 0 for none
     */
    record MessageStatus(boolean taken, long revisedAt) {
        static final MessageStatus UNTOUCHED = new MessageStatus(false, 0);

        /** True if nothing has changed since the message was chosen. */
        boolean isAsSeen(ChatEventEffect.Sight sight) {
            return taken == sight.taken() && revisedAt <= sight.seenTo();
        }
    }

    static ChatEventFacts of(FactSource source, List<Command> commands) throws SQLException {
        Set<Name> names = new HashSet<>();
        Set<Name> runs = new HashSet<>();
        Set<EntryRef> entries = new HashSet<>();
        Set<Name> opened = new HashSet<>();
        commands.forEach(command -> opened(command).forEach(opened::add));
        commands.stream().flatMap(ChatEventFacts::changes).forEach(effect -> {
            names.add(nameOf(effect));
            switch (effect) {
                case ChatEventEffect.Brought brought -> unstreamed(brought).forEach(runs::add);
                case ChatEventEffect.Beside beside -> entries.add(entryOf(beside));
                case ChatEventEffect.Placed _ -> {}
            }
        });
        Set<RunOwners.Name> named =
                commands.stream().flatMap(ChatEventFacts::runs).collect(Collectors.toSet());
        if (names.isEmpty() && named.isEmpty()) {
            return NONE;
        }
        Connection connection = source.connection();
        return new ChatEventFacts(
                found(connection, KNOWN, names),
                found(connection, STREAMED, runs),
                found(connection, POSTED, opened),
                statuses(connection, entries),
                SessionRunOwners.read(connection, named));
    }

    static Stream<ChatEventEffect> changes(Command command) {
        return command.changes().stream()
                .flatMap(
                        change -> change instanceof Change.Apply(ChatEventEffect each) ? Stream.of(each) : Stream.of());
    }

    /** The runs that a command's messages belong to, or that the command begins to stream. */
    static Stream<RunOwners.Name> runs(Command command) {
        return Stream.concat(
                opened(command).map(name -> new RunOwners.Name(name.thread(), name.id())),
                changes(command)
                        .flatMap(effect -> Optional.ofNullable(effect.row().runId()).stream())
                        .map(run -> new RunOwners.Name(command.thread(), run)));
    }

    /** The runs that an external driver begins to stream. */
    static Stream<Name> opened(Command command) {
        return command.changes().stream()
                .flatMap(change -> change instanceof Change.Apply(RunEffect.Opened opened)
                                && opened.run().driver() == Run.Driver.EXTERNAL
                        ? Stream.of(new Name(opened.run().thread(), opened.run().runId()))
                        : Stream.of());
    }

    static Name nameOf(ChatEventEffect effect) {
        return new Name(effect.thread(), effect.row().messageId());
    }

    static EntryRef entryOf(ChatEventEffect.Beside beside) {
        return new EntryRef(beside.thread(), beside.seq());
    }

    /** The run that must not exist if the chat event is to become a new message. */
    static Stream<Name> unstreamed(ChatEventEffect.Brought brought) {
        String run = brought.row().runId();
        return brought.unstreamed() && run != null ? Stream.of(new Name(brought.thread(), run)) : Stream.of();
    }

    private static Set<Name> found(Connection connection, String sql, Collection<Name> names) throws SQLException {
        if (names.isEmpty()) {
            return Set.of();
        }
        Set<Name> found = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new SqlArrays(connection, statement)
                    .uuids(names, name -> name.thread().value())
                    .texts(names, Name::id);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    found.add(new Name(new ThreadId(row.getObject(1, UUID.class)), row.getString(2)));
                }
            }
        }
        return found;
    }

    private static Map<EntryRef, MessageStatus> statuses(Connection connection, Collection<EntryRef> entries)
            throws SQLException {
        if (entries.isEmpty()) {
            return Map.of();
        }
        Map<EntryRef, MessageStatus> found = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(STATUSES)) {
            new SqlArrays(connection, statement)
                    .uuids(entries, entry -> entry.thread().value())
                    .longs(entries, EntryRef::seq);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    found.put(
                            new EntryRef(new ThreadId(row.getObject(1, UUID.class)), row.getLong(2)),
                            new MessageStatus(row.getBoolean(3), row.getLong(4)));
                }
            }
        }
        return found;
    }
}
