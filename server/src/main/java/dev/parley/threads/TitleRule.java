package dev.parley.threads;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Entry;
import dev.parley.log.Head;
import dev.parley.log.Refusal;
import dev.parley.log.Rule;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A thread that nobody named goes by the start of its first message, until that message is taken back. */
public final class TitleRule implements Rule<Map<ThreadId, ThreadFacts>> {
    private final ThreadFactsCache facts;
    private static final int LENGTH = 80;

    public TitleRule(ThreadFactsCache facts) {
        this.facts = facts;
    }

    @Override
    public Stage stage() {
        return Stage.STATE;
    }

    @Override
    public Map<ThreadId, ThreadFacts> read(Connection connection, Collection<Head> heads, List<Command> commands)
            throws SQLException {
        return facts.read(connection, heads);
    }

    @Override
    public Judge over(Map<ThreadId, ThreadFacts> facts) {
        return new TitleJudge(facts);
    }

    /** Follows the titles of its batch. */
    private static final class TitleJudge implements Judge {
        /** Where a title comes from; null: from people. */
        private record Titled(boolean untitled, @Nullable Long by) {}

        private final Map<ThreadId, ThreadFacts> facts;
        private final Map<ThreadId, Titled> titles = new HashMap<>();

        TitleJudge(Map<ThreadId, ThreadFacts> facts) {
            this.facts = facts;
        }

        @Override
        public Optional<Refusal> judge(Command command, Head head) {
            return Optional.empty();
        }

        @Override
        public List<Change> follow(Entry entry) {
            ThreadFacts thread = ThreadFacts.of(facts, entry.thread());
            Titled now = titles.getOrDefault(entry.thread(), new Titled(thread.untitled(), thread.titledBy()));
            return switch (entry.said().kind()) {
                case MESSAGE -> {
                    String start = Text.start(entry.said().content(), LENGTH);
                    yield now.untitled() && !start.isEmpty() ? title(entry, start, entry.seq()) : List.of();
                }
                case DELETION ->
                    Objects.equals(now.by(), entry.said().targetSeq()) ? title(entry, null, null) : List.of();
                case EDIT, REACTION, REACTION_REMOVED, WITHDRAWAL, SUPERSESSION -> List.of();
            };
        }

        private List<Change> title(Entry entry, @Nullable String title, @Nullable Long by) {
            titles.put(entry.thread(), new Titled(title == null, by));
            return List.of(
                    new Change.Apply(new ThreadChange.Titled(entry.thread(), title, by)),
                    new Change.Announce(
                            "thread_updated",
                            entry.said().author(),
                            Json.MAPPER.writeValueAsString(Collections.singletonMap("title", title))));
        }
    }
}
