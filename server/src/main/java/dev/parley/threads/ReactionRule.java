package dev.parley.threads;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Entry;
import dev.parley.log.EntryContent;
import dev.parley.log.EntryKind;
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
 * One author uses only so many different emojis on one message. Those taken back count as well: the log keeps them, and
 * whoever reads the message passes over them.
 */
public final class ReactionRule implements Rule<ReactionRule.UsedEmojis> {
    private final int most;

    /** @param most different emojis of one author on one message */
    public ReactionRule(int most) {
        this.most = most;
    }

    /** An author's reactions to one message. */
    record AuthorReactions(ThreadId thread, long target, Actor author) {}

    /** The emojis that authors who react in this batch have used before, as far as the limit. */
    public record UsedEmojis(Map<AuthorReactions, Set<String>> emojis) {}

    @Override
    public UsedEmojis read(Connection connection, Collection<Head> heads, List<Command> commands) throws SQLException {
        Set<AuthorReactions> spots = new HashSet<>();
        for (Command command : commands) {
            for (EntryContent content : reactions(command)) {
                spots.add(spot(command.thread(), content));
            }
        }
        return new UsedEmojis(spots.isEmpty() ? Map.of() : used(connection, List.copyOf(spots)));
    }

    /** From one emoji to the next, so that it costs nothing how often each was given and taken back. */
    private Map<AuthorReactions, Set<String>> used(Connection connection, List<AuthorReactions> spots)
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
        Map<AuthorReactions, Set<String>> found = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            new SqlArrays(connection, statement)
                    .uuids(spots, spot -> spot.thread().value())
                    .longs(spots, AuthorReactions::target)
                    .texts(spots, spot -> spot.author().value());
            statement.setInt(4, most);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    AuthorReactions spot = new AuthorReactions(
                            new ThreadId(rows.getObject(1, UUID.class)), rows.getLong(2), new Actor(rows.getString(3)));
                    found.computeIfAbsent(spot, each -> new HashSet<>()).add(rows.getString(4));
                }
            }
        }
        return found;
    }

    @Override
    public Judge over(UsedEmojis facts) {
        return new ReactionJudge(facts, most);
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

    private static AuthorReactions spot(ThreadId thread, EntryContent content) {
        Long target = content.targetSeq();
        return new AuthorReactions(thread, target == null ? 0 : target, content.author());
    }

    /** Counts on through its batch. */
    private static final class ReactionJudge implements Judge {
        private final Map<AuthorReactions, Set<String>> used = new HashMap<>();
        private final int most;

        ReactionJudge(UsedEmojis facts, int most) {
            facts.emojis().forEach((spot, emojis) -> used.put(spot, new HashSet<>(emojis)));
            this.most = most;
        }

        @Override
        public Optional<Refusal> judge(Command command, Head head) {
            for (EntryContent content : reactions(command)) {
                Set<String> emojis = used.getOrDefault(spot(command.thread(), content), Set.of());
                if (emojis.size() >= most && !emojis.contains(content.text())) {
                    return Optional.of(Refusal.ofField(
                            "emoji",
                            "is one more than the " + most + " different ones that you may use on one message"));
                }
            }
            return Optional.empty();
        }

        @Override
        public void count(Command command, List<Entry> placed) {
            for (Entry entry : placed) {
                if (entry.content().kind() == EntryKind.REACTION) {
                    used.computeIfAbsent(spot(entry.thread(), entry.content()), each -> new HashSet<>())
                            .add(entry.content().text());
                }
            }
        }
    }
}
