package dev.parley.threads;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Entry;
import dev.parley.log.EntryKey;
import dev.parley.log.EntryKind;
import dev.parley.log.FactSource;
import dev.parley.log.Head;
import dev.parley.log.Refusal;
import dev.parley.log.Rule;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.SqlArrays;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A reply by a user or an agent must name a message of its thread. Platforms look up the originals of their replies
 * themselves.
 */
public final class ReplyRule implements Rule<Set<ReplyRule.Target>> {
    /** A message that a reply names. */
    public record Target(ThreadId thread, UUID key) {
        private static Target of(ThreadId thread, String messageId) {
            return new Target(thread, EntryKey.id(messageId).value());
        }
    }

    @Override
    public Set<Target> read(FactSource source, Collection<Head> heads, List<Command> commands) throws SQLException {
        List<Target> wanted = commands.stream()
                .flatMap(command -> replies(command).map(messageId -> Target.of(command.thread(), messageId)))
                .distinct()
                .toList();
        return wanted.isEmpty() ? Set.of() : existing(source.connection(), wanted);
    }

    private static Set<Target> existing(Connection connection, List<Target> wanted) throws SQLException {
        Set<Target> existing = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement("""
                select wanted.thread_id, wanted.key from unnest(?::uuid[], ?::uuid[]) as wanted (thread_id, key)
                cross join lateral (
                    select from entry_keys k join entries e on e.thread_id = k.thread_id and e.seq = k.seq
                    where k.thread_id = wanted.thread_id and k.key = wanted.key and e.kind = 0 limit 1) as held""")) {
            new SqlArrays(connection, statement)
                    .uuids(wanted, target -> target.thread().value())
                    .uuids(wanted, Target::key);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    existing.add(
                            new Target(new ThreadId(rows.getObject(1, UUID.class)), rows.getObject(2, UUID.class)));
                }
            }
        }
        return existing;
    }

    /** The ids that the replies of a command name. */
    private static Stream<String> replies(Command command) {
        return command.changes().stream()
                .filter(Change.Append.class::isInstance)
                .map(change -> ((Change.Append) change).draft().content())
                .filter(content -> content.author().kind() == Actor.Kind.USER
                        || content.author().kind() == Actor.Kind.AGENT)
                .flatMap(content -> Stream.ofNullable(content.replyTo()));
    }

    @Override
    public Judge over(Set<Target> facts) {
        return new ReplyJudge(new HashSet<>(facts));
    }

    /** @param held the messages that exist, including messages of the batch */
    private record ReplyJudge(Set<Target> held) implements Judge {
        @Override
        public Optional<Refusal> judge(Command command, Head head) {
            boolean known = replies(command).allMatch(id -> held.contains(Target.of(command.thread(), id)));
            return known
                    ? Optional.empty()
                    : Optional.of(Refusal.ofField("reply_to", "names no message of this thread"));
        }

        @Override
        public void count(Command command, List<Entry> placed) {
            for (Entry entry : placed) {
                if (entry.content().kind() == EntryKind.MESSAGE) {
                    held.add(Target.of(entry.thread(), entry.content().id()));
                }
            }
        }
    }
}
