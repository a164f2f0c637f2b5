package dev.parley.face.agui;

import dev.parley.agents.Agents;
import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.auth.RateLimits;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Reply;
import dev.parley.http.Routes;
import dev.parley.limits.Limits;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.runs.ResentRuns;
import dev.parley.runs.Run;
import dev.parley.runs.RunWishes;
import dev.parley.runs.Runs;
import dev.parley.threads.Threads;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The routes of AG-UI: one that an HttpAgent posts to, and those that CopilotKit looks for under the same base. */
public final class AguiFace {
    private static final String BASE = "/api/v1/agui";
    /** The agent that CopilotKit asks for if its page names none: whoever answers in the thread, else the server's. */
    private static final String DEFAULT = "default";

    private final Runs runs;
    private final Threads threads;
    private final Agents agents;
    private final AguiStreams streams;
    private final RuntimeDescription description;
    private final RateLimits rates;
    private final Limits limits;

    /** What a stream needs, and who may be asked. */
    public AguiFace(Runs runs, Threads threads, Agents agents, Streaming streaming, RateLimits rates, Limits limits) {
        this.runs = runs;
        this.threads = threads;
        this.agents = agents;
        this.streams = streaming.over(runs, agents, limits.snapshotBytes());
        this.description = new RuntimeDescription(agents, streaming.defaultAgent(), streaming.version());
        this.rates = rates;
        this.limits = limits;
    }

    public void addTo(Routes<Principal> routes) {
        long body = limits.aguiBody();
        String agent = BASE + "/agent/{agentId}";
        routes.problemsUnder(BASE, AguiFace::forTheClient)
                .streamPost(BASE, body, call -> run(call, null))
                .get(BASE + "/info", this::info)
                .streamPost(agent + "/run", body, call -> run(call, call.path("agentId")))
                .streamPost(agent + "/connect", body, call -> connect(call, call.path("agentId")))
                .post(agent + "/stop/{threadId}", limits.otherBody(), this::stop);
    }

    /** Where clients of this protocol look for what went wrong. */
    private static Map<String, ?> forTheClient(Problem problem, String detail) {
        return Map.of("error", Map.of("code", problem.slug(), "message", detail));
    }

    private Reply run(Call<Principal> call, @Nullable String agentId) {
        rates.count(call.caller(), RateLimits.Kind.USER_MESSAGE);
        RunAgentInput input = runs.resent().check(call.json(JsonNode.class));
        RunWishes wishes = RunWishes.of(input.forwardedProps());
        RunWishes meant = named(agentId).map(wishes::by).orElse(wishes);
        return streams.inPlace(call, place -> {
            ResentRuns.Taken taken = runs.resent().take(call.caller(), input, meant);
            return taken.isNew()
                    ? streams.fresh(place, input, taken.run())
                    : streams.attached(place, input, taken.run());
        });
    }

    private Reply connect(Call<Principal> call, String agentId) {
        rates.count(call.caller(), RateLimits.Kind.POLL);
        call.caller().requirePlace();
        requireUsable(call.caller(), agentId);
        RunAgentInput input = runs.resent().check(call.json(JsonNode.class));
        Optional<ThreadId> thread =
                runs.resent().find(call.caller(), input.threadId()).filter(threads::isTaken);
        thread.ifPresent(there -> threads.requireReadable(call.caller(), there));
        return streams.inPlace(call, place -> {
            if (thread.isEmpty()) {
                return streams.nothing(place, input);
            }
            Optional<Run> going = runs.unfinished(thread.get(), actor(agentId).orElse(null));
            return going.isPresent()
                    ? streams.following(place, input, going.get())
                    : streams.idle(place, input, thread.get());
        });
    }

    /** What a client says when it wants a run to stop. */
    record StopRequest(@Nullable String runId) {}

    private Answer stop(Call<Principal> call) {
        rates.count(call.caller(), RateLimits.Kind.USER_MESSAGE);
        call.caller().requirePlace();
        requireUsable(call.caller(), call.path("agentId"));
        String runId =
                call.jsonIfPresent(StopRequest.class).map(StopRequest::runId).orElse(null);
        ThreadId thread = runs.resent()
                .find(call.caller(), call.path("threadId"))
                .filter(threads::isTaken)
                .orElseThrow(() -> new ProblemException(Problem.THREAD_NOT_FOUND, "There is no such thread."));
        return Answer.ok(Map.of("stopped", stop(call, thread, runId)));
    }

    /** A client that has come back does not know under which name its run was started: then it means what goes on. */
    private boolean stop(Call<Principal> call, ThreadId thread, @Nullable String runId) {
        Runs.Cancelled named = runId == null ? Runs.Cancelled.UNKNOWN : runs.cancel(call.caller(), thread, runId);
        if (named != Runs.Cancelled.UNKNOWN) {
            return named == Runs.Cancelled.ACCEPTED;
        }
        threads.requireAllowed(call.caller(), thread, Capability.CAN_RUN);
        Optional<Actor> agent = actor(call.path("agentId"));
        return runs.unfinished(thread, agent.orElse(null))
                .filter(run -> agent.isEmpty() || run.agent().equals(agent.get()))
                .filter(run -> runs.cancel(call.caller(), thread, run.taskId().toString()) == Runs.Cancelled.ACCEPTED)
                .isPresent();
    }

    private Answer info(Call<Principal> call) {
        rates.count(call.caller(), RateLimits.Kind.POLL);
        call.caller().requirePlace();
        return Answer.ok(description.of(call.caller()));
    }

    private void requireUsable(Principal caller, String agentId) {
        if (named(agentId).isPresent()) {
            agents.requireUsable(
                    caller,
                    actor(agentId)
                            .filter(actor -> actor.kind() == Actor.Kind.AGENT)
                            .orElseThrow(
                                    () -> new ProblemException(Problem.AGENT_NOT_FOUND, "There is no such agent.")));
        }
    }

    private static Optional<String> named(@Nullable String agentId) {
        return Optional.ofNullable(agentId).filter(id -> !id.equals(DEFAULT));
    }

    private static Optional<Actor> actor(String agentId) {
        return named(agentId).flatMap(id -> Actor.parse(id.startsWith("agent:") ? id : "agent:" + id));
    }
}
