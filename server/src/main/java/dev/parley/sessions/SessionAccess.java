package dev.parley.sessions;

import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.log.Refusal;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.ThreadRoster;
import dev.parley.threads.Threads;
import java.time.Clock;
import java.util.Optional;

/** Who may do what with a session: the thread's own rule, and that a token must be one for running. */
public final class SessionAccess {
    private final SessionThreads sessions;
    private final Threads threads;
    private final Clock clock;

    public SessionAccess(SessionThreads sessions, Threads threads, Clock clock) {
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

    /** The thread of a session that the caller may change, which must be there. */
    ThreadId managed(Principal caller, String sessionId) {
        SessionThreads.requireScope(caller, Capability.CAN_MANAGE_PARTICIPANTS);
        ThreadId thread = sessions.require(caller, sessionId);
        threads.requireManaged(caller, thread);
        return thread;
    }

    /**
     * The thread of a session that the caller may add something to.
     *
     * @param make whether one that is not there shall be made
     */
    ThreadRoster writable(Principal caller, String sessionId, boolean make) {
        SessionThreads.requireScope(caller, Capability.CAN_SEND);
        Optional<ThreadId> known = sessions.find(caller, sessionId).filter(sessions::isMade);
        if (known.isEmpty()) {
            if (!make) {
                throw Refusal.noSuchThread().toException();
            }
            // Asked before anything is made: a refusal has written nothing.
            caller.requireScope(Capability.CAN_MANAGE_PARTICIPANTS);
        }
        ThreadId thread = known.orElseGet(() -> sessions.open(caller, sessionId, clock.instant()));
        return threads.requireAllowed(caller, thread, Capability.CAN_SEND);
    }

    /** Refuses if the thread is not there for the caller any more: it may have been deleted since it was looked for. */
    void requireStillThere(Principal caller, ThreadId thread) {
        threads.requireSeen(caller, thread);
    }
}
