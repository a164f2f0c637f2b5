package dev.parley.sessions;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.basics.Text;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.ThreadSnapshot;
import dev.parley.threads.Threads;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The sessions of a caller: the caller's threads, under the caller's names for them. Listing them reads no message. */
public final class SessionList {
    private final SessionThreads sessions;
    private final SessionAccess access;
    private final Threads threads;
    private final int maxTitle;

    public SessionList(SessionThreads sessions, SessionAccess access, Threads threads, int maxTitle) {
        this.sessions = sessions;
        this.access = access;
        this.threads = threads;
        this.maxTitle = maxTitle;
    }

    /** A thread, and the caller's name for it. */
    public record Session(String sessionId, ThreadSnapshot thread) {}

    /** A page of sessions, the most active first. */
    public record Page(List<Session> sessions, @Nullable String nextCursor) {}

    public Page list(Principal caller, @Nullable String cursor, boolean archived, @Nullable String words, int limit) {
        SessionThreads.requireScope(caller, Capability.CAN_READ);
        Threads.Page page = threads.list(caller, cursor, archived, words, limit);
        Map<ThreadId, String> names = sessions.namesOf(
                caller, page.threads().stream().map(ThreadSnapshot::id).toList());
        return new Page(
                page.threads().stream()
                        .map(thread -> new Session(
                                names.getOrDefault(thread.id(), thread.id().toString()), thread))
                        .toList(),
                page.nextCursor());
    }

    public Session require(Principal caller, String sessionId) {
        ThreadId thread = access.readable(caller, sessionId);
        return new Session(sessionId, access.snapshot(caller, thread));
    }

    public Session rename(Principal caller, String sessionId, String name) {
        Text.requireStorable("session_name", name);
        Text.requireAtMost("session_name", name, maxTitle);
        // The answer shows the session, so a caller who may not read it is refused before it is renamed.
        caller.requireScope(Capability.CAN_READ);
        ThreadId thread = access.managed(caller, sessionId);
        threads.rename(caller, thread, name);
        return new Session(sessionId, access.snapshot(caller, thread));
    }

    /** Deletes a session. Its name stays taken, like the id of its thread. */
    public void delete(Principal caller, String sessionId) {
        ThreadId thread = access.managed(caller, sessionId);
        threads.delete(caller, thread);
    }

    /** Refuses a request without a name. */
    public static String requireName(@Nullable String name) {
        if (name == null) {
            throw ProblemException.invalidField("session_name", "is required");
        }
        return name;
    }
}
