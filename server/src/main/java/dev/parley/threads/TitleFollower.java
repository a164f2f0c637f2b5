package dev.parley.threads;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Entry;
import dev.parley.log.FactSource;
import dev.parley.log.Follower;
import dev.parley.log.Head;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Titles an untitled thread with the start of its first message. The title stays when that message is deleted, since
 * readers know the thread by it; erasure clears it.
 */
public final class TitleFollower implements Follower<Map<ThreadId, ThreadFacts>> {
    private static final int LENGTH = 80;

    private final ThreadFactsCache facts;

    public TitleFollower(ThreadFactsCache facts) {
        this.facts = facts;
    }

    @Override
    public Map<ThreadId, ThreadFacts> read(FactSource source, Collection<Head> heads, List<Command> commands)
            throws SQLException {
        return facts.read(source, heads);
    }

    @Override
    public Consequences over(Map<ThreadId, ThreadFacts> facts) {
        return new Titles(facts);
    }

    /** Titles each thread of its batch once. */
    private static final class Titles implements Consequences {
        private final Map<ThreadId, ThreadFacts> facts;
        private final Set<ThreadId> titledInBatch = new HashSet<>();

        Titles(Map<ThreadId, ThreadFacts> facts) {
            this.facts = facts;
        }

        @Override
        public List<Change> follow(Command command, Entry entry) {
            return switch (entry.content().kind()) {
                case MESSAGE ->
                    title(
                            entry,
                            Excerpt.of(entry.content().text(), entry.content().metadata(), LENGTH));
                case DELETION, EDIT, REACTION, REACTION_REMOVED, WITHDRAWAL, SUPERSESSION -> List.of();
            };
        }

        private List<Change> title(Entry entry, String title) {
            ThreadId thread = entry.thread();
            if (title.isEmpty() || !ThreadFacts.of(facts, thread).untitled() || !titledInBatch.add(thread)) {
                return List.of();
            }
            return List.of(
                    new Change.Apply(new ThreadEffect.Titled(thread, title, entry.seq())),
                    new Change.Announce(
                            "thread_updated",
                            entry.content().author(),
                            Json.MAPPER.writeValueAsString(Map.of("title", title))));
        }
    }
}
