package dev.parley.sessions;

import dev.parley.agents.Agents;
import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.limits.Limits;
import dev.parley.log.Refusal;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import dev.parley.threads.ThreadAccess;
import dev.parley.threads.ThreadAliases;
import dev.parley.threads.Threads;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Resolves session ids to threads. A UUID is the thread's own id; any other id is an alias that belongs to its owner.
 */
public final class SessionThreads {
    private final Database database;
    private final ThreadAliases aliases;
    private final Threads threads;
    private final ThreadAccess access;
    private final Agents agents;
    private final Limits.Requests limits;

    public SessionThreads(
            Database database, Threads threads, ThreadAccess access, Agents agents, Limits.Requests limits) {
        this.database = database;
        this.aliases = new ThreadAliases(database);
        this.threads = threads;
        this.access = access;
        this.agents = agents;
        this.limits = limits;
    }

    /** The owner of the names and agents that a caller uses: the caller, or its owner if it is an agent. */
    Actor ownerFor(Principal caller) {
        return agents.ownerFor(caller);
    }

    /** The thread that the caller's id stands for, which may not exist; empty if the id is unknown. */
    Optional<ThreadId> find(Principal caller, String sessionId) {
        requireName(caller, sessionId);
        return aliases.find(ownerFor(caller), sessionId);
    }

    /** Finds the thread like {@link #find}, but throws for an unknown id. The caller's rights are checked later. */
    public ThreadId require(Principal caller, String sessionId) {
        return find(caller, sessionId).orElseThrow(() -> Refusal.noSuchThread().toException());
    }

    /**
     * The thread of a session that is about to be written to. A missing thread is created, with the caller as its
     * manager.
     */
    ThreadId open(Principal caller, String sessionId, Instant createdAt) {
        ThreadId thread = claim(caller, sessionId);
        if (!isMade(thread)) {
            create(caller, thread, createdAt, null);
        }
        return thread;
    }

    /** The id of a session's thread, which may not be created yet. */
    ThreadId claim(Principal caller, String sessionId) {
        return find(caller, sessionId).orElseGet(() -> {
            // Checked before the name is taken, so that a refusal writes nothing.
            caller.requireScope(Capability.CAN_MANAGE_PARTICIPANTS);
            return aliases.claim(ownerFor(caller), sessionId);
        });
    }

    /** True if the thread exists, or existed. */
    boolean isMade(ThreadId thread) {
        return access.isTaken(thread);
    }

    void create(Principal caller, ThreadId thread, Instant createdAt, @Nullable String title) {
        threads.createUnder(caller, thread, ownerFor(caller), createdAt, title);
    }

    void requireTitle(String title) {
        threads.requireTitle(title);
    }

    /** Throws unless the credential allows this. Agents need the scope {@code run} as well. */
    static void requireScope(Principal caller, Capability needed) {
        caller.requirePlace();
        caller.requireScope(Capability.CAN_RUN);
        caller.requireScope(needed);
    }

    /** The caller's names for the threads. */
    Map<ThreadId, String> namesOf(Principal caller, Collection<ThreadId> wanted) {
        Map<ThreadId, String> names = new HashMap<>();
        wanted.forEach(thread -> names.put(thread, thread.toString()));
        if (!wanted.isEmpty()) {
            database.read(handle -> handle.createQuery("""
                            select thread_id, min(alias) as alias from thread_aliases
                            where owner = :owner and thread_id = any (:threads) group by thread_id""")
                    .bind("owner", ownerFor(caller).value())
                    .bindArray(
                            "threads",
                            UUID.class,
                            wanted.stream().map(ThreadId::value).toList())
                    .map((row, context) ->
                            names.put(new ThreadId(row.getObject("thread_id", UUID.class)), row.getString("alias")))
                    .list());
        }
        return names;
    }

    private void requireName(Principal caller, String sessionId) {
        caller.requirePlace();
        ClientNames.strict(limits).id("session_id", sessionId);
    }
}
