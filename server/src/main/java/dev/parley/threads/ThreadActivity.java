package dev.parley.threads;

import dev.parley.protocol.Actor;
import dev.parley.storage.Database;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Threads in the order of their last activity on any node, and the rows they have in their participants' lists. */
public final class ThreadActivity {
    private final Database database;

    public ThreadActivity(Database database) {
        this.database = database;
    }

    /** The present, by the clock that orders activity. */
    public Instant now() {
        return database.read(InboxStore::now);
    }

    /** The next threads that were active after a position, in order; empty at the end. */
    public List<ActivePlace> activeAfter(ActivePlace position) {
        return database.read(handle -> InboxStore.activeAfter(handle, position));
    }

    /** The list rows of the given actors for the given threads. */
    public List<InboxRow> inboxOf(List<ThreadNews> news, Set<Actor> actors) {
        return database.read(handle -> InboxStore.rows(handle, news, actors));
    }
}
