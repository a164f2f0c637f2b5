package dev.parley.face.agent;

import dev.parley.agents.ModelRequests;
import dev.parley.contexts.RequestUsage;
import dev.parley.protocol.Json;
import dev.parley.protocol.agent.RunFailure;
import dev.parley.protocol.agent.RunUsage;
import dev.parley.protocol.agent.RunView;
import dev.parley.protocol.agent.UpstreamFailure;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.runs.Runs;
import dev.parley.runs.lifecycle.Run;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The agent face's views of runs. */
final class RunViews {
    private RunViews() {}

    /**
     * @param open the ids of the thread's unanswered questions, by the runs that asked them
     * @param failures the failures of the model providers by run, as far as the caller may know them
     * @param input the input from the run's client; null where it is not shown
     */
    static RunView run(
            Run run,
            Runs runs,
            List<RequestUsage> usage,
            Map<UUID, List<String>> open,
            Map<UUID, UpstreamFailure> failures,
            @Nullable RunAgentInput input) {
        Run.Result result = run.result();
        return RunView.of(run.taskId(), run.thread(), run.runId(), run.agent(), run.startedBy())
                .state(run.state().wire(), run.attempts())
                .under(runs.nameOf(run.identity().parent()), runs.nameOf(run.root()))
                .triggers(run.triggers())
                .events(run.positions().first(), run.positions().last())
                .outcome(result.outcome() == null ? null : Json.MAPPER.readTree(result.outcome()))
                .error(
                        result.errorMessage() == null
                                ? null
                                : new RunFailure(result.errorCode(), result.errorMessage(), failures.get(run.taskId())))
                .openInterrupts(open.getOrDefault(run.taskId(), List.of()))
                .usage(usage.stream().map(RunViews::usage).toList())
                .input(input)
                .times(run.times().created(), run.times().started(), run.times().ended())
                .build();
    }

    private static RunUsage usage(RequestUsage each) {
        ModelRequests.Usage usage = each.usage();
        return new RunUsage(
                each.request(),
                each.provider(),
                each.model(),
                usage.inputTokens(),
                usage.outputTokens(),
                usage.cachedTokens(),
                usage.reasoningTokens(),
                usage.cost(),
                usage.currency());
    }
}
