package dev.parley.app;

import dev.parley.auth.Principal;
import dev.parley.auth.RateLimits;
import dev.parley.face.sessions.ChatEventFace;
import dev.parley.http.Routes;
import dev.parley.limits.Limits;
import dev.parley.sessions.SessionDoors;
import dev.parley.sessions.SessionThreads;
import java.time.Clock;

/** The sessions of Agno, wired, with their routes. */
final class Sessions {
    private final SessionDoors doors;
    private final SessionThreads threads;
    private final Limits limits;

    Sessions(SessionDoors.Parts parts, Limits limits, Clock clock) {
        this.limits = limits;
        this.threads = new SessionThreads(parts.database(), parts.threads(), parts.agents(), limits);
        this.doors = new SessionDoors(parts, threads, limits, clock);
    }

    void addTo(Routes<Principal> routes, RateLimits rates) {
        new ChatEventFace(doors.events(), doors.reading(), threads, rates, limits).addTo(routes);
    }
}
