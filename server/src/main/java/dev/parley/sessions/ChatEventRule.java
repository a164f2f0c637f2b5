package dev.parley.sessions;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Entry;
import dev.parley.log.EntryKind;
import dev.parley.log.Head;
import dev.parley.log.Refusal;
import dev.parley.log.Rule;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
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
import java.util.stream.Stream;

/** A message id is one chat event, whether its message was appended or found; and a chat event stands where its message does. */
public final class ChatEventRule implements Rule<ChatEventRule.Facts> {
    /** What a client calls a message in a thread. */
    record Name(ThreadId thread, String messageId) {}

    /** @param known the chat events that are there already */
    record Facts(Set<Name> known) {}

    @Override
    public Stage stage() {
        return Stage.STATE;
    }

    @Override
    public Facts read(Connection connection, Collection<Head> heads, List<Command> commands) throws SQLException {
        List<Name> names = commands.stream()
                .flatMap(ChatEventRule::changes)
                .map(ChatEventRule::nameOf)
                .distinct()
                .toList();
        Set<Name> known = new HashSet<>();
        if (!names.isEmpty()) {
            try (PreparedStatement statement = connection.prepareStatement("""
                    select wanted.thread_id, wanted.message_id
                    from unnest(?::uuid[], ?::text[]) as wanted (thread_id, message_id)
                    cross join lateral (
                        select 1 from chat_events c
                        where c.thread_id = wanted.thread_id and c.message_id = wanted.message_id limit 1) as found""")) {
                new SqlArrays(connection, statement)
                        .uuids(names, name -> name.thread().value())
                        .texts(names, Name::messageId);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        known.add(new Name(new ThreadId(row.getObject(1, UUID.class)), row.getString(2)));
                    }
                }
            }
        }
        return new Facts(known);
    }

    private static Stream<ChatEventChange> changes(Command command) {
        return command.changes().stream()
                .flatMap(
                        change -> change instanceof Change.Apply(ChatEventChange each) ? Stream.of(each) : Stream.of());
    }

    private static Name nameOf(ChatEventChange change) {
        return new Name(change.thread(), change.row().messageId());
    }

    @Override
    public Judge over(Facts facts) {
        return new ChatEventJudge(facts);
    }

    /** Follows what its batch brings, so that twins in one batch find each other. */
    private static final class ChatEventJudge implements Judge {
        private final Set<Name> taken;
        private final Map<String, ChatEventChange.Brought> current = new HashMap<>();

        ChatEventJudge(Facts facts) {
            this.taken = new HashSet<>(facts.known());
        }

        @Override
        public Optional<Refusal> judge(Command command, Head head) {
            current.clear();
            List<Name> names =
                    changes(command).map(ChatEventRule::nameOf).distinct().toList();
            if (names.stream().anyMatch(taken::contains)) {
                // Whoever brought it looks again, and finds it.
                return Optional.of(Refusal.of(Problem.KEY_REUSED, "A message of this id was brought before."));
            }
            taken.addAll(names);
            changes(command).forEach(change -> {
                if (change instanceof ChatEventChange.Brought brought) {
                    current.put(brought.row().messageId(), brought);
                    current.put(brought.draftId(), brought);
                }
            });
            return Optional.empty();
        }

        @Override
        public List<Change> follow(Entry entry) {
            ChatEventChange.Brought brought = current.get(entry.said().id());
            return brought == null || entry.said().kind() != EntryKind.MESSAGE
                    ? List.of()
                    : List.of(new Change.Apply(new ChatEventChange.Placed(
                            brought.thread(), brought.row(), entry.seq(), entry.createdAt())));
        }
    }
}
