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
import dev.parley.sessions.SessionServices;

/** The routes of the sessions of Agno. */
record SessionRoutes(SessionServices doors, RateLimits rates, Limits limits) {
    void addTo(Routes<Principal> routes) {
        new ChatEventFace(doors.events(), doors.reading(), doors.threads(), rates, limits.sessions(), limits.requests())
                .addTo(routes);
        new RunEventFace(doors.streams(), rates, limits.sessions(), limits.requests()).addTo(routes);
        new SessionRunFace(
                        doors.runs(),
                        rates,
                        limits.sessions(),
                        limits.requests().page())
                .addTo(routes);
        new DocumentFace(doors.documents(), rates, limits.sessions()).addTo(routes);
        new SessionFace(doors.list(), doors.metrics(), rates, limits.requests()).addTo(routes);
    }
}
