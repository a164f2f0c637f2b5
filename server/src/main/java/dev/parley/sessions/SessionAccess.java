package dev.parley.sessions;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.log.Refusal;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.ThreadAccess;
import dev.parley.threads.ThreadRoster;
import dev.parley.threads.ThreadSnapshot;
import java.time.Clock;
import java.util.Optional;

/** Checks the rights on a session. The rules of its thread apply, and the token needs the scope {@code run}. */
final class SessionAccess {
    private final SessionThreads sessions;
    private final ThreadAccess threads;
    private final Clock clock;

    SessionAccess(SessionThreads sessions, ThreadAccess threads, Clock clock) {
        this.sessions = sessions;
        this.threads = threads;
        this.clock = clock;
    }

    /** The thread of a session that the caller may read. */
    ThreadId readable(Principal caller, String sessionId) {
        SessionThreads.requireScope(caller, Capability.CAN_READ);
        ThreadId thread = sessions.require(caller, sessionId);
        threads.requireReadable(caller, thread);
        return thread;
    }

    /** The thread of an existing session that the caller may manage. */
    ThreadId managed(Principal caller, String sessionId) {
        SessionThreads.requireScope(caller, Capability.CAN_MANAGE_PARTICIPANTS);
        ThreadId thread = sessions.require(caller, sessionId);
        threads.requireManaged(caller, thread);
        return thread;
    }

    /**
     * The thread of a session that the caller may add to.
     *
     * @param make true if a missing session is created
     */
    ThreadRoster writable(Principal caller, String sessionId, boolean make) {
        SessionThreads.requireScope(caller, Capability.CAN_SEND);
        Optional<ThreadId> known = sessions.find(caller, sessionId).filter(sessions::isMade);
        if (known.isEmpty()) {
            if (!make) {
                throw Refusal.noSuchThread().toException();
            }
            // Checked before anything is created, so that a refusal writes nothing.
            caller.requireScope(Capability.CAN_MANAGE_PARTICIPANTS);
        }
        ThreadId thread = known.orElseGet(() -> sessions.open(caller, sessionId, clock.instant()));
        return threads.requireAllowed(caller, thread, Capability.CAN_SEND);
    }

    /**
     * The roster of a session's thread, in which the caller has the capability; empty if the thread is not created yet.
     */
    Optional<ThreadRoster> existing(Principal caller, ThreadId thread, Capability needed) {
        return sessions.isMade(thread) ? Optional.of(threads.requireAllowed(caller, thread, needed)) : Optional.empty();
    }

    ThreadSnapshot snapshot(Principal caller, ThreadId thread) {
        return threads.require(caller, thread);
    }

    /** Throws if the caller no longer finds the thread: it may have been deleted meanwhile. */
    void requireStillThere(Principal caller, ThreadId thread) {
        threads.requireSeen(caller, thread);
    }
}
