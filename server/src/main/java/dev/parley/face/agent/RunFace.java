package dev.parley.face.agent;

import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.contexts.RequestUsage;
import dev.parley.http.Answer;
import dev.parley.http.BodyLimit;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.limits.Limits;
import dev.parley.log.Refusal;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agent.CancelAnswer;
import dev.parley.protocol.agent.RunEvents;
import dev.parley.protocol.agent.RunPage;
import dev.parley.protocol.agent.RunStanding;
import dev.parley.protocol.agent.SharedStateView;
import dev.parley.protocol.agent.TaskAccepted;
import dev.parley.protocol.agent.UpstreamFailure;
import dev.parley.runs.RunCancellation;
import dev.parley.runs.Runs;
import dev.parley.runs.external.DriverPost;
import dev.parley.runs.external.DriverStatus;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunStore;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** The routes of runs: start, find, cancel, and drive by an external agent. */
public final class RunFace {
    private static final int DEFAULT_PAGE = 50;
    private static final String TOO_LARGE = "RunAgentInput payload exceeds size limit";

    private final Runs runs;
    private final Limits.Requests limits;
    private final BodyLimit inputLimit;

    public RunFace(Runs runs, Limits.Requests limits, long inputBytes) {
        this.runs = runs;
        this.limits = limits;
        this.inputLimit = new BodyLimit(inputBytes, TOO_LARGE);
    }

    public void addTo(Routes<Principal> routes) {
        String thread = "/api/v1/agent/threads/{threadId}";
        String run = thread + "/runs/{runId}";
        routes.post("/api/v1/agent/runs", inputLimit, Rate.USER_MESSAGE, this::start)
                .get(thread + "/runs", Rate.POLL, this::list)
                .get(run, Rate.POLL, this::show)
                .post(run + "/cancel", limits.body(), Rate.USER_MESSAGE, this::cancel)
                .post(run + "/events", limits.body(), Rate.RUN_EVENTS, this::drive)
                .get(thread + "/state", Rate.POLL, this::state);
    }

    private Answer start(Call<Principal> call) {
        Run run = runs.start(call.caller(), call.json(JsonNode.class));
        return Answer.of(
                        202,
                        new TaskAccepted(
                                run.taskId(),
                                run.thread(),
                                run.runId(),
                                run.times().created()))
                .withHeader("Location", "/api/v1/agent/runs/" + run.thread() + "/events?runId=" + run.taskId());
    }

    private Answer list(Call<Principal> call) {
        int limit = call.pageSize(Math.min(DEFAULT_PAGE, limits.page()), limits.page());
        List<Run> found = runs.list(call.caller(), thread(call), RunCursor.require(call.query("cursor")), limit + 1);
        List<Run> page = found.subList(0, Math.min(limit, found.size()));
        Map<UUID, List<RequestUsage>> usage = runs.contexts().usageOf(thread(call), page);
        Map<UUID, List<String>> open = runs.openInterrupts(thread(call));
        Map<UUID, UpstreamFailure> failures = runs.contexts().failuresOf(call.caller(), thread(call), page);
        return Answer.ok(new RunPage(
                page.stream()
                        .map(run -> RunViews.run(
                                run, runs, usage.getOrDefault(run.taskId(), List.of()), open, failures, null))
                        .toList(),
                found.size() > limit ? RunCursor.behind(page.getLast()) : null));
    }

    private Answer show(Call<Principal> call) {
        Run run = runs.require(call.caller(), thread(call), call.path("runId"));
        List<RequestUsage> usage =
                runs.contexts().usageOf(run.thread(), List.of(run)).getOrDefault(run.taskId(), List.of());
        return Answer.ok(RunViews.run(
                run,
                runs,
                usage,
                runs.openInterrupts(run.thread()),
                runs.contexts().failuresOf(call.caller(), run.thread(), List.of(run)),
                runs.contexts().inputOf(call.caller(), run).orElse(null)));
    }

    private Answer cancel(Call<Principal> call) {
        RunCancellation.Cancelled cancelled =
                runs.cancellation().cancel(call.caller(), thread(call), call.path("runId"));
        return Answer.ok(new CancelAnswer(cancelled.name().toLowerCase(Locale.ROOT)));
    }

    private Answer drive(Call<Principal> call) {
        RunEvents body = call.json(RunEvents.class);
        Long first = Objects.requireNonNullElse(body.first(), 0L);
        if (first < 0) {
            throw ProblemException.invalidField("first", "must be 0 or more");
        }
        String runId = call.path("runId");
        if (runId.codePointCount(0, runId.length()) > limits.opaqueId()) {
            throw new ProblemException(Problem.RUN_INPUT_REFUSED, "runId exceeds length limit");
        }
        DriverStatus status = runs.external()
                .post(
                        call.caller(),
                        thread(call),
                        runId,
                        new DriverPost(body.epoch(), first, Objects.requireNonNullElse(body.events(), List.of())));
        return Answer.ok(new RunStanding(status.epoch(), status.next(), status.stop()));
    }

    private Answer state(Call<Principal> call) {
        ThreadId thread = thread(call);
        Optional<RunStore.SharedState> state = runs.state(call.caller(), thread);
        return Answer.ok(new SharedStateView(
                thread,
                state.map(RunStore.SharedState::version).orElse(0L),
                state.map(each -> Json.MAPPER.readTree(each.json())).orElse(null)));
    }

    /** The thread of a call. Runs are for callers that can be participants. */
    static ThreadId thread(Call<Principal> call) {
        call.caller().requirePlace();
        return ThreadId.parse(call.path("threadId"))
                .orElseThrow(() -> Refusal.noSuchThread().toException());
    }
}
