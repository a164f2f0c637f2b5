package dev.parley.runs;

import dev.parley.agents.Agents;
import dev.parley.auth.Capability;
import dev.parley.auth.Principal;
import dev.parley.contexts.Contexts;
import dev.parley.contexts.RequestUsage;
import dev.parley.contexts.StoredContext;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agent.UpstreamFailure;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunStore;
import dev.parley.threads.ThreadAccess;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The context that the model of a run received, for operators, the agent's owner, the thread's managers, the agent
 * itself, and the integration that the thread came from. The context may contain more than the thread shows.
 */
public final class RunContexts {
    private final RunStore store;
    private final ThreadAccess access;
    private final Agents agents;
    private final Contexts contexts;

    RunContexts(RunStore store, Runs.Dependencies parts) {
        this.store = store;
        this.access = parts.access();
        this.agents = parts.agents();
        this.contexts = parts.contexts();
    }

    /**
     * A run and its context.
     *
     * @param context empty if no context was assembled, because the run has not begun or is external
     * @param failure the provider's failure at the run's last request; empty for callers who may not see it
     */
    public record RequestView(
            Run run,
            Optional<StoredContext> context,
            Optional<RequestUsage> usage,
            Optional<UpstreamFailure> failure) {}

    /** @param request the number of one of the run's requests; null for the last */
    public RequestView require(Principal caller, ThreadId thread, String runId, @Nullable Integer request) {
        Run run = requireConcerned(caller, thread, runId);
        Optional<StoredContext> context = contexts.find(thread, run.taskId(), request);
        if (request != null && context.isEmpty()) {
            throw new ProblemException(Problem.RUN_NOT_FOUND, "The run has no request with this number.");
        }
        return new RequestView(
                run,
                context,
                context.flatMap(stored ->
                        contexts.usageOf(thread, List.of(run.taskId())).getOrDefault(run.taskId(), List.of()).stream()
                                .filter(each -> each.request() == stored.request())
                                .findFirst()),
                Optional.ofNullable(failuresOf(caller, thread, List.of(run)).get(run.taskId())));
    }

    private Run requireConcerned(Principal caller, ThreadId thread, String runId) {
        if (!caller.isOperator()) {
            access.requireReadable(caller, thread);
        }
        Run run = store.find(thread, runId).orElseThrow(RunStore::noSuchRun);
        boolean concerned = mayDiagnose(caller, run.agent())
                || caller instanceof Principal.Integration
                || caller.actor().equals(run.agent());
        if (!concerned) {
            access.requireAllowed(caller, thread, Capability.CAN_MANAGE_PARTICIPANTS);
        }
        return run;
    }

    /** True if the caller operates the server or owns the agent. */
    private boolean mayDiagnose(Principal caller, Actor agent) {
        return caller.isOperator()
                || agents.find(agent)
                        .filter(registered -> registered.owner().equals(caller.actor()))
                        .isPresent();
    }

    /** The failures of providers in the runs that the caller may diagnose. */
    public Map<UUID, UpstreamFailure> failuresOf(Principal caller, ThreadId thread, List<Run> runs) {
        List<Run> failed =
                runs.stream().filter(run -> run.result().errorMessage() != null).toList();
        // A page has many runs but few agents, so the right is checked once per agent.
        Set<Actor> diagnosable = failed.stream()
                .map(Run::agent)
                .distinct()
                .filter(agent -> mayDiagnose(caller, agent))
                .collect(Collectors.toSet());
        List<UUID> tasks = failed.stream()
                .filter(run -> diagnosable.contains(run.agent()))
                .map(Run::taskId)
                .toList();
        return tasks.isEmpty() ? Map.of() : contexts.failuresOf(thread, tasks);
    }

    /**
     * The client's input of a run, for the agent that answers, that agent's owner, the run's starter, and operators.
     * Empty for other callers and for a run that a message started. An agent outside the server gets the input of its
     * run from this method.
     */
    public Optional<RunAgentInput> inputOf(Principal caller, Run run) {
        boolean concerned = caller.actor().equals(run.agent())
                || caller.actor().equals(run.startedBy())
                || mayDiagnose(caller, run.agent());
        return concerned ? store.input(run.taskId()) : Optional.empty();
    }

    /** The usage and the cost of the requests that these runs have made. */
    public Map<UUID, List<RequestUsage>> usageOf(ThreadId thread, List<Run> runs) {
        return contexts.usageOf(thread, runs.stream().map(Run::taskId).toList());
    }
}
