package dev.parley.face.sessions;

import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.limits.Limits;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.sessions.NewSessionName;
import dev.parley.protocol.sessions.SessionPage;
import dev.parley.sessions.SessionList;
import dev.parley.sessions.SessionMetrics;

/** The routes of sessions: list, rename, delete, and metrics. */
public final class SessionFace {
    private static final int DEFAULT_PAGE = 50;

    private final SessionList sessions;
    private final SessionMetrics metrics;
    private final Limits.Requests limits;

    public SessionFace(SessionList sessions, SessionMetrics metrics, Limits.Requests limits) {
        this.sessions = sessions;
        this.metrics = metrics;
        this.limits = limits;
    }

    public void addTo(Routes<Principal> routes) {
        String session = "/api/v1/sessions/{session_id}";
        routes.get("/api/v1/sessions", Rate.POLL, this::list)
                .get(session, Rate.POLL, this::show)
                .patch(session, limits.body(), Rate.THREAD_OPERATION, this::rename)
                .delete(session, Rate.THREAD_OPERATION, this::delete)
                .get(session + "/metrics", Rate.POLL, this::showMetrics);
    }

    private Answer list(Call<Principal> call) {
        SessionList.Page page = sessions.list(
                call.caller(),
                call.query("cursor").orElse(null),
                archived(call),
                call.query("q").orElse(null),
                call.pageSize(Math.min(DEFAULT_PAGE, limits.page()), limits.page()));
        return Answer.ok(new SessionPage(
                page.sessions().stream().map(SessionViews::session).toList(), page.nextCursor()));
    }

    private static boolean archived(Call<?> call) {
        return switch (call.query("archived").orElse("false")) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default -> throw ProblemException.invalidField("archived", "must be true or false");
        };
    }

    private Answer show(Call<Principal> call) {
        return Answer.ok(SessionViews.session(sessions.require(call.caller(), call.path("session_id"))));
    }

    private Answer rename(Call<Principal> call) {
        String name = SessionList.requireName(call.json(NewSessionName.class).sessionName());
        return Answer.ok(SessionViews.session(sessions.rename(call.caller(), call.path("session_id"), name)));
    }

    private Answer delete(Call<Principal> call) {
        sessions.delete(call.caller(), call.path("session_id"));
        return Answer.noContent();
    }

    private Answer showMetrics(Call<Principal> call) {
        String session = call.path("session_id");
        return Answer.ok(SessionViews.metrics(session, metrics.of(call.caller(), session)));
    }
}
