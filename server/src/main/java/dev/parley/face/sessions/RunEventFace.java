package dev.parley.face.sessions;

import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.limits.Limits;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agent.RunStanding;
import dev.parley.protocol.sessions.RunPost;
import dev.parley.protocol.sessions.SessionStopAnswer;
import dev.parley.protocol.sessions.StopWish;
import dev.parley.runs.external.DriverPost;
import dev.parley.runs.external.DriverStatus;
import dev.parley.sessions.ClientNames;
import dev.parley.sessions.SessionAgents;
import dev.parley.sessions.SessionRuns;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/** The routes that stream Agno's runs into a session, and stop them. */
public final class RunEventFace {
    private final SessionRuns runs;
    private final Limits.Sessions limits;
    private final long otherBytes;
    private final ClientNames names;

    public RunEventFace(SessionRuns runs, Limits.Sessions limits, Limits.Requests requests) {
        this.runs = runs;
        this.limits = limits;
        this.otherBytes = requests.body();
        this.names = ClientNames.strict(requests);
    }

    public void addTo(Routes<Principal> routes) {
        String session = "/api/v1/sessions/{session_id}";
        routes.post(session + "/runs/{run_id}/events", limits.body(), Rate.RUN_EVENTS, this::drive)
                .post(session + "/stop", otherBytes, Rate.USER_MESSAGE, this::stop);
    }

    private Answer drive(Call<Principal> call) {
        RunPost body = call.json(RunPost.class);
        Long first = Objects.requireNonNullElse(body.first(), 0L);
        if (first < 0) {
            throw ProblemException.invalidField("first", "must be 0 or more");
        }
        List<JsonNode> events = Objects.requireNonNullElse(body.events(), List.of());
        if (events.size() > limits.runEvents()) {
            throw ProblemException.invalidField("events", "holds more than " + limits.runEvents() + " events");
        }
        DriverStatus status = runs.post(
                call.caller(),
                call.path("session_id"),
                names.id("run_id", call.path("run_id")),
                runner(body),
                new DriverPost(body.epoch(), first, events));
        return Answer.ok(new RunStanding(status.epoch(), status.next(), status.stop()));
    }

    private SessionRuns.Runner runner(RunPost body) {
        return new SessionRuns.Runner(
                new SessionAgents.AgentNames(
                        names.idIfGiven("agent_id", body.agentId()),
                        names.nameIfGiven("agent_name", body.agentName()),
                        names.nameIfGiven("team_name", body.teamName())),
                names.idIfGiven("parent_run_id", body.parentRunId()));
    }

    private Answer stop(Call<Principal> call) {
        String runId = call.jsonIfPresent(StopWish.class).map(StopWish::runId).orElse(null);
        SessionRuns.Stopped stopped =
                runs.stop(call.caller(), call.path("session_id"), names.idIfGiven("run_id", runId));
        return Answer.ok(new SessionStopAnswer(stopped.status(), stopped.stopped()));
    }
}
