package dev.parley.agents.model;

import dev.parley.agents.Agent;
import dev.parley.agents.Turn;
import dev.parley.agents.tools.ServerTool;
import dev.parley.agents.tools.ToolApproval;
import dev.parley.agents.tools.ToolOutcome;
import dev.parley.agents.tools.ToolServers;
import dev.parley.assembly.ContextMessage;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.Common;
import dev.parley.protocol.agui.Content;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.protocol.agui.StepEvent;
import dev.parley.protocol.agui.ToolCall;
import dev.parley.protocol.agui.ToolEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/**
 * Carries out the tool calls of a model. The server's tools run in parallel, with results in the order of the calls.
 * Calls that need approval become interrupts, and calls of the app's tools stay pending.
 */
final class ToolRounds {
    /** The step around the server's tools. */
    private static final String TOOL_EXECUTION = "tool_execution";

    private static final ToolOutcome GONE =
            new ToolOutcome("The tool was not called: the call to approve no longer exists.", true);

    private final Turn turn;
    private final Agent.Emitter emitter;
    private final Toolbox toolbox;
    private final ToolServers tools;

    ToolRounds(Turn turn, Agent.Emitter emitter, Toolbox toolbox, ToolServers tools) {
        this.turn = turn;
        this.emitter = emitter;
        this.toolbox = toolbox;
        this.tools = tools;
    }

    /**
     * The outcome of one response's calls.
     *
     * @param questions interrupts that people have to answer first
     * @param pending ids of the calls that the caller's app has to answer
     */
    record Round(List<ContextMessage.ToolResult> results, List<Interrupt> questions, List<String> pending) {}

    Round of(List<ModelResponse.Call> calls) throws InterruptedException {
        List<Interrupt> questions = new ArrayList<>();
        List<String> pending = new ArrayList<>();
        List<ParallelCalls.Job> jobs = new ArrayList<>();
        for (ModelResponse.Call call : calls) {
            Optional<ObjectNode> arguments = Arguments.read(call.arguments());
            Optional<ServerTool> guarded = toolbox.server(call.name()).filter(ServerTool::approval);
            if (arguments.isPresent() && toolbox.isFrontend(call.name())) {
                pending.add(call.id());
            } else if (arguments.isPresent() && guarded.isPresent()) {
                questions.add(ToolApproval.ask(turn.name().taskId(), call.id(), guarded.get(), arguments.get()));
            } else {
                jobs.add(new ParallelCalls.Job(call, () -> run(call)));
            }
        }
        return new Round(carryOut(jobs), questions, pending);
    }

    /**
     * Carries out the calls that people approved, and returns one result for each call that people approved or
     * declined. An earlier run asked for these decisions, and the input of this run contains them.
     */
    List<ContextMessage.ToolResult> resumed() throws InterruptedException {
        List<ParallelCalls.Job> jobs = new ArrayList<>();
        for (Turn.Answer answer : turn.input().answers()) {
            String id = answer.interrupt().toolCallId();
            if (id != null && ToolApproval.REASON.equals(answer.interrupt().reason())) {
                ToolCall original = answer.call();
                ModelResponse.Call call = original == null
                        ? new ModelResponse.Call(id, "unknown", "{}")
                        : new ModelResponse.Call(
                                id,
                                original.function().name(),
                                original.function().arguments());
                jobs.add(new ParallelCalls.Job(call, () -> original == null ? GONE : outcomeOf(answer, call)));
            }
        }
        return carryOut(jobs);
    }

    private ToolOutcome outcomeOf(Turn.Answer answer, ModelResponse.Call call) throws InterruptedException {
        Optional<ObjectNode> arguments = Arguments.read(call.arguments());
        if (arguments.isEmpty()) {
            return GONE;
        }
        return switch (ToolApproval.judge(answer, answer.askedBy(), call.id(), call.name(), arguments.get())) {
            case ToolApproval.Decision.Approved() -> run(call);
            case ToolApproval.Decision.Declined(String reason) ->
                new ToolOutcome(
                        "The tool was not called: a person declined it"
                                + (reason == null ? "." : ", and said: " + reason),
                        true);
            case ToolApproval.Decision.Voided(String cause) ->
                new ToolOutcome("The tool was not called: the approval does not count. " + cause, true);
        };
    }

    private List<ContextMessage.ToolResult> carryOut(List<ParallelCalls.Job> jobs) throws InterruptedException {
        List<ContextMessage.ToolResult> results = new ArrayList<>();
        if (jobs.isEmpty()) {
            return results;
        }
        emitter.emit(new StepEvent.Started(TOOL_EXECUTION, null, Common.NONE));
        ParallelCalls.run(jobs, (call, outcome) -> results.add(emitResult(call, outcome)));
        emitter.emit(new StepEvent.Finished(TOOL_EXECUTION, null, Common.NONE));
        return results;
    }

    private ToolOutcome run(ModelResponse.Call call) throws InterruptedException {
        Optional<ObjectNode> arguments = Arguments.read(call.arguments());
        if (arguments.isEmpty()) {
            return new ToolOutcome("The arguments are not one JSON object. Call the tool again with one.", true);
        }
        Optional<ServerTool> tool = toolbox.server(call.name());
        if (tool.isEmpty()) {
            return new ToolOutcome("There is no tool of this name. " + toolbox.names(), true);
        }
        return tools.call(tool.get(), arguments.get());
    }

    private ContextMessage.ToolResult emitResult(ModelResponse.Call call, ToolOutcome outcome)
            throws InterruptedException {
        Common common = outcome.error()
                ? Common.metadata(Json.MAPPER.createObjectNode().put("tool_failed", true))
                : Common.NONE;
        emitter.emit(new ToolEvent.Result(
                ResponseEvents.newId(), call.id(), new Content.Text(outcome.text()), "tool", null, common));
        return new ContextMessage.ToolResult(
                call.id(), call.name(), outcome.text(), outcome.error(), ContextMessage.Origin.NONE);
    }
}
