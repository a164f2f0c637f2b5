package dev.parley.threads;

import dev.parley.log.Command;
import dev.parley.log.Head;
import dev.parley.log.Rule;
import dev.parley.protocol.ThreadId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** A rule that judges by the facts of threads, which all such rules share. */
abstract class ThreadRule implements Rule<Map<ThreadId, ThreadFacts>> {
    private final ThreadFactsCache facts;

    ThreadRule(ThreadFactsCache facts) {
        this.facts = facts;
    }

    @Override
    public final Map<ThreadId, ThreadFacts> read(Connection connection, Collection<Head> heads, List<Command> commands)
            throws SQLException {
        return facts.read(connection, heads);
    }

    static ThreadFacts of(Map<ThreadId, ThreadFacts> facts, ThreadId thread) {
        return facts.getOrDefault(thread, ThreadFacts.NONE);
    }
}
