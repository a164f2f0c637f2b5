package dev.parley.app;

import dev.parley.auth.Principal;
import dev.parley.auth.RateLimits;
import dev.parley.face.sessions.ChatEventFace;
import dev.parley.face.sessions.DocumentFace;
import dev.parley.face.sessions.RunEventFace;
import dev.parley.face.sessions.SessionFace;
import dev.parley.face.sessions.SessionRunFace;
import dev.parley.http.Routes;
import dev.parley.limits.Limits;
import dev.parley.sessions.SessionAccess;
import dev.parley.sessions.SessionAgents;
import dev.parley.sessions.SessionDocuments;
import dev.parley.sessions.SessionDoors;
import dev.parley.sessions.SessionList;
import dev.parley.sessions.SessionMetrics;
import dev.parley.sessions.SessionRunList;
import dev.parley.sessions.SessionRuns;
import dev.parley.sessions.SessionThreads;
import dev.parley.storage.Database;
import java.time.Clock;

/** The sessions of Agno, wired, with their routes. */
final class Sessions {
    private final SessionDoors doors;
    private final SessionThreads threads;
    private final SessionDoors.Parts parts;
    private final Limits limits;
    private final Clock clock;

    Sessions(SessionDoors.Parts parts, Limits limits, Clock clock) {
        this.parts = parts;
        this.limits = limits;
        this.clock = clock;
        this.threads = new SessionThreads(parts.database(), parts.threads(), parts.agents(), limits);
        this.doors = new SessionDoors(parts, threads, limits, clock);
    }

    void addTo(Routes<Principal> routes, RateLimits rates) {
        new ChatEventFace(doors.events(), doors.reading(), threads, rates, limits).addTo(routes);
        Database database = parts.database();
        SessionAgents agents = new SessionAgents(database, parts.agents(), limits);
        new RunEventFace(new SessionRuns(threads, agents, parts.threads(), parts.runs(), limits, clock), rates, limits)
                .addTo(routes);
        SessionAccess access = new SessionAccess(threads, parts.threads(), clock);
        SessionList list = new SessionList(threads, access, parts.threads(), limits);
        new SessionFace(list, new SessionMetrics(database, access), rates, limits).addTo(routes);
        new DocumentFace(new SessionDocuments(database, access, limits, clock), rates, limits).addTo(routes);
        new SessionRunFace(new SessionRunList(database, access, parts.prices(), limits, clock), rates, limits)
                .addTo(routes);
    }
}
