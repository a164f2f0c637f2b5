package dev.parley.face.agui;

import dev.parley.agents.Agents;
import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
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
import dev.parley.runs.FullHistoryRuns;
import dev.parley.runs.Runs;
import dev.parley.runs.input.RunOptions;
import dev.parley.threads.ThreadAccess;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The routes of AG-UI (<a href="https://docs.ag-ui.com">docs.ag-ui.com</a>): the route that an HttpAgent posts to, and
 * the routes that CopilotKit expects under the same base.
 */
public final class AguiFace {
    private static final String BASE = "/api/v1/agui";
    /**
     * The agent id that CopilotKit sends if its page names no agent. It stands for the agent that answers in the
     * thread, or else for the server's default agent.
     */
    private static final String DEFAULT = "default";

    private final Runs runs;
    private final ThreadAccess access;
    private final Agents agents;
    private final AguiStreams streams;
    private final RuntimeDescription description;
    private final long inputBytes;
    private final long otherBytes;

    /** @param otherBytes the limit of the body of a request that opens no stream */
    public AguiFace(
            Runs runs, ThreadAccess access, Agents agents, Streaming streaming, Limits.Agui limits, long otherBytes) {
        this.runs = runs;
        this.access = access;
        this.agents = agents;
        this.streams = streaming.over(runs, agents, limits.snapshotBytes());
        this.description = new RuntimeDescription(agents, streaming.defaultAgent(), streaming.version());
        this.inputBytes = limits.body();
        this.otherBytes = otherBytes;
    }

    public void addTo(Routes<Principal> routes) {
        String agent = BASE + "/agent/{agentId}";
        routes.problemsUnder(BASE, AguiFace::errorMembers)
                .streamPost(BASE, inputBytes, Rate.USER_MESSAGE, call -> run(call, null))
                .get(BASE + "/info", Rate.POLL, this::info)
                .streamPost(agent + "/run", inputBytes, Rate.USER_MESSAGE, call -> run(call, call.path("agentId")))
                .streamPost(agent + "/connect", inputBytes, Rate.POLL, call -> connect(call, call.path("agentId")))
                .post(agent + "/stop/{threadId}", otherBytes, Rate.USER_MESSAGE, this::stop);
    }

    /** The fields in which clients of this protocol look for an error. */
    private static Map<String, ?> errorMembers(ProblemException failure) {
        return Map.of("error", Map.of("code", failure.problem().slug(), "message", failure.detail()));
    }

    private Reply run(Call<Principal> call, @Nullable String agentId) {
        RunAgentInput input = runs.fullHistory().check(call.json(JsonNode.class));
        RunOptions options = RunOptions.ofAgui(input.forwardedProps());
        RunOptions chosen = agentOptions(agentId).map(options::by).orElse(options);
        return streams.inPlace(call, admission -> {
            FullHistoryRuns.Acceptance acceptance = runs.fullHistory().take(call.caller(), input, chosen);
            return acceptance.isNew()
                    ? streams.fresh(admission, input, acceptance.run())
                    : streams.attached(admission, input, acceptance.run());
        });
    }

    private Reply connect(Call<Principal> call, String agentId) {
        call.caller().requirePlace();
        Optional<Actor> agent = agent(call.caller(), agentId);
        RunAgentInput input = runs.fullHistory().check(call.json(JsonNode.class));
        Optional<ThreadId> thread =
                runs.fullHistory().find(call.caller(), input.threadId()).filter(access::isTaken);
        thread.ifPresent(there -> access.requireReadable(call.caller(), there));
        return streams.inPlace(
                call,
                admission -> thread.isEmpty()
                        ? streams.nothing(admission, input)
                        : streams.connected(admission, input, thread.get(), agent.orElse(null)));
    }

    /** A client's request to stop a run. */
    record StopRequest(@Nullable String runId) {}

    private Answer stop(Call<Principal> call) {
        call.caller().requirePlace();
        Optional<Actor> agent = agent(call.caller(), call.path("agentId"));
        String runId =
                call.jsonIfPresent(StopRequest.class).map(StopRequest::runId).orElse(null);
        ThreadId thread = runs.fullHistory()
                .find(call.caller(), call.path("threadId"))
                .filter(access::isTaken)
                .orElseThrow(() -> new ProblemException(Problem.THREAD_NOT_FOUND, "There is no such thread."));
        return Answer.ok(Map.of("stopped", runs.cancellation().stop(call.caller(), thread, agent.orElse(null), runId)));
    }

    private Answer info(Call<Principal> call) {
        call.caller().requirePlace();
        return Answer.ok(description.of(call.caller()));
    }

    private static Optional<String> agentOptions(@Nullable String agentId) {
        return Optional.ofNullable(agentId).filter(id -> !id.equals(DEFAULT));
    }

    /** The agent that the path names; empty if the path stands for any agent. */
    private Optional<Actor> agent(Principal caller, String agentId) {
        return agentOptions(agentId)
                .map(id -> agents.requireUsable(caller, "agentId", id).actor());
    }
}
