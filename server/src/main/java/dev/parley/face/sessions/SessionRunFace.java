package dev.parley.face.sessions;

import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.limits.Limits;
import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.sessions.SessionRunPage;
import dev.parley.sessions.SessionRun;
import dev.parley.sessions.SessionRunList;
import java.util.List;

/** The routes of a session's runs and their documents. */
public final class SessionRunFace {
    private static final int DEFAULT_PAGE = 50;

    private final SessionRunList runs;
    private final Limits.Sessions limits;
    private final int maxPage;

    public SessionRunFace(SessionRunList runs, Limits.Sessions limits, int maxPage) {
        this.runs = runs;
        this.limits = limits;
        this.maxPage = maxPage;
    }

    public void addTo(Routes<Principal> routes) {
        String collection = "/api/v1/sessions/{session_id}/runs";
        String run = collection + "/{run_id}";
        routes.get(collection, Rate.POLL, this::list)
                .get(run, Rate.POLL, this::show)
                .put(run, NewDocument.bodyLimit(limits), Rate.THREAD_OPERATION, this::keep);
    }

    private Answer list(Call<Principal> call) {
        int limit = call.pageSize(Math.min(DEFAULT_PAGE, maxPage), maxPage);
        List<SessionRun> found = runs.after(call.caller(), call.path("session_id"), cursor(call), limit + 1);
        List<SessionRun> page = found.subList(0, Math.min(limit, found.size()));
        return Answer.ok(new SessionRunPage(
                page.stream().map(SessionViews::run).toList(),
                found.size() > limit ? Long.toString(page.getLast().number()) : null));
    }

    /** The number of the run after which the list continues; 0 without a cursor. */
    private static long cursor(Call<?> call) {
        String cursor = call.query("cursor").orElse("0");
        if (!Alphabet.DIGITS.spells(cursor, 1, 18)) {
            throw new ProblemException(
                    Problem.INVALID_CURSOR, "The cursor must be the next_cursor of the previous page.");
        }
        return Long.parseLong(cursor);
    }

    private Answer show(Call<Principal> call) {
        return Answer.ok(SessionViews.whole(runs.require(call.caller(), call.path("session_id"), call.path("run_id"))));
    }

    private Answer keep(Call<Principal> call) {
        NewDocument given = NewDocument.of(call);
        return Answer.ok(SessionViews.run(runs.keep(
                call.caller(), call.path("session_id"), call.path("run_id"), given.document(), given.version())));
    }
}
