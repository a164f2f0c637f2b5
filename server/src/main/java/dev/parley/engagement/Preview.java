package dev.parley.engagement;

import dev.parley.log.Command;
import dev.parley.log.Digest;
import dev.parley.log.Draft;
import dev.parley.log.Engagement;
import dev.parley.log.Entry;
import dev.parley.log.EntryContent;
import dev.parley.log.FactSource;
import dev.parley.log.Fingerprint;
import dev.parley.log.Head;
import dev.parley.protocol.ThreadId;
import dev.parley.runs.lifecycle.RunMemory;
import dev.parley.storage.Database;
import dev.parley.threads.ThreadFactsCache;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;

/** The decision that {@link EngagementFollower} would make about a message now, without locks and changes. */
public final class Preview {
    private final Database database;
    private final Clock clock;

    public Preview(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** The engagement of a message in a thread. The named runs are not started. */
    public List<Engagement> of(ThreadId thread, EntryContent content) {
        Digest none = Fingerprint.of("", List.of(), null, null);
        Head head = new Head(thread, 0, 0, clock.instant(), none, 0);
        Command command = Command.append(thread, Draft.of(content, null, none));
        // This follower has a memory of its own, because facts that were read without a lock must not be kept.
        EngagementFollower engagement = new EngagementFollower(new ThreadFactsCache(), new RunMemory());
        EngagementFollower.Surroundings facts = database.read(handle -> {
            try {
                return engagement.read(FactSource.of(handle.getConnection()), List.of(head), List.of(command));
            } catch (SQLException failed) {
                throw new IllegalStateException("The surroundings of a thread cannot be read", failed);
            }
        });
        return engagement
                .over(facts)
                .engage(command, new Entry(thread, Long.MAX_VALUE, 0, clock.instant(), none, content, null, List.of()));
    }
}
