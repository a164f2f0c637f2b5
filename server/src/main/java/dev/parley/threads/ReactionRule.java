package dev.parley.threads;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Entry;
import dev.parley.log.EntryContent;
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
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Limits the different emojis of one author on one message. Removed reactions count as well: the log keeps them, and
 * every reader of the message has to skip them.
 */
public final class ReactionRule implements Rule<ReactionRule.UsedEmojis> {
    private final int maxEmojis;

    /** @param maxEmojis the maximum number of different emojis of one author on one message */
    public ReactionRule(int maxEmojis) {
        this.maxEmojis = maxEmojis;
    }

    /** An author's reactions to one message. */
    record AuthorReactions(ThreadId thread, long target, Actor author) {}

    /** The emojis that the authors of this batch's reactions have used before, up to the limit. */
    record UsedEmojis(Map<AuthorReactions, Set<String>> emojis) {}

    @Override
    public UsedEmojis read(FactSource source, Collection<Head> heads, List<Command> commands) throws SQLException {
        Set<AuthorReactions> keys = new HashSet<>();
        for (Command command : commands) {
            for (EntryContent content : reactions(command)) {
                keys.add(keyOf(command.thread(), content));
            }
        }
        return new UsedEmojis(keys.isEmpty() ? Map.of() : used(source.connection(), List.copyOf(keys)));
    }

    /**
     * The emojis that each author has used on each message. The query goes from one emoji to the next, so its cost does
     * not depend on the number of times that an emoji was added and removed.
     */
    private Map<AuthorReactions, Set<String>> used(Connection connection, List<AuthorReactions> keys)
            throws SQLException {
        String sql = """
                select wanted.thread_id, wanted.target_seq, wanted.author, used.emoji
                from unnest(?::uuid[], ?::bigint[], ?::text[]) as wanted (thread_id, target_seq, author)
                cross join lateral (
                    with recursive emojis as (
                        (select e.content as emoji from entries e
                        where e.thread_id = wanted.thread_id and e.target_seq = wanted.target_seq
                            and e.author = wanted.author and e.kind in (3, 4)
                        order by e.content collate "C" limit 1)
                        union all
                        select next.emoji from emojis cross join lateral (
                            select e.content as emoji from entries e
                            where e.thread_id = wanted.thread_id and e.target_seq = wanted.target_seq
                                and e.author = wanted.author and e.kind in (3, 4)
                                and e.content collate "C" > emojis.emoji collate "C"
                            order by e.content collate "C" limit 1) as next)
                    select emoji from emojis limit ?) as used""";
        Map<AuthorReactions, Set<String>> used = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new SqlArrays(connection, statement)
                    .uuids(keys, key -> key.thread().value())
                    .longs(keys, AuthorReactions::target)
                    .texts(keys, key -> key.author().value());
            statement.setInt(4, maxEmojis);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    AuthorReactions key = new AuthorReactions(
                            new ThreadId(rows.getObject(1, UUID.class)), rows.getLong(2), new Actor(rows.getString(3)));
                    used.computeIfAbsent(key, each -> new HashSet<>()).add(rows.getString(4));
                }
            }
        }
        return used;
    }

    @Override
    public Judge over(UsedEmojis facts) {
        return new ReactionJudge(facts, maxEmojis);
    }

    private static List<EntryContent> reactions(Command command) {
        List<EntryContent> reactions = new ArrayList<>();
        for (Change change : command.changes()) {
            if (change instanceof Change.Append(var draft) && draft.content().kind() == EntryKind.REACTION) {
                reactions.add(draft.content());
            }
        }
        return reactions;
    }

    private static AuthorReactions keyOf(ThreadId thread, EntryContent content) {
        Long target = content.targetSeq();
        return new AuthorReactions(thread, target == null ? 0 : target, content.author());
    }

    /** Counts the emojis in the log and the emojis that earlier commands of the same batch have added. */
    private static final class ReactionJudge implements Judge {
        private final Map<AuthorReactions, Set<String>> used = new HashMap<>();
        private final int maxEmojis;

        ReactionJudge(UsedEmojis facts, int maxEmojis) {
            facts.emojis().forEach((key, emojis) -> used.put(key, new HashSet<>(emojis)));
            this.maxEmojis = maxEmojis;
        }

        @Override
        public Optional<Refusal> judge(Command command, Head head) {
            for (EntryContent content : reactions(command)) {
                Set<String> emojis = used.getOrDefault(keyOf(command.thread(), content), Set.of());
                if (emojis.size() >= maxEmojis && !emojis.contains(content.text())) {
                    return Optional.of(Refusal.ofField(
                            "emoji",
                            "is one more than the " + maxEmojis + " different ones that you may use on one message"));
                }
            }
            return Optional.empty();
        }

        @Override
        public void count(Command command, List<Entry> placed) {
            for (Entry entry : placed) {
                if (entry.content().kind() == EntryKind.REACTION) {
                    used.computeIfAbsent(keyOf(entry.thread(), entry.content()), each -> new HashSet<>())
                            .add(entry.content().text());
                }
            }
        }
    }
}
