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
 * Does what a model wants done: runs the server's tools side by side and tells what came of each in the order of the
 * calls, asks people where a call needs their word, and leaves to the caller's app what is its own.
 */
final class ToolRounds {
    /** Around tools of ours. */
    private static final String TOOL_EXECUTION = "tool_execution";

    private static final ToolOutcome GONE =
            new ToolOutcome("The tool was not called: the call that was to be approved is not there any more.", true);

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
     * What came of the calls of one response.
     *
     * @param questions that people have to answer first
     * @param pending calls that the caller's app has to answer
     */
    record Round(List<ContextMessage.ToolResult> results, List<Interrupt> questions, List<String> pending) {}

    Round of(List<ModelResponse.Call> calls) throws InterruptedException {
        List<Interrupt> questions = new ArrayList<>();
        List<String> pending = new ArrayList<>();
        List<SideBySide.Job> jobs = new ArrayList<>();
        for (ModelResponse.Call call : calls) {
            Optional<ObjectNode> arguments = Arguments.read(call.arguments());
            Optional<ServerTool> guarded = toolbox.server(call.name()).filter(ServerTool::approval);
            if (arguments.isPresent() && toolbox.isFrontend(call.name())) {
                pending.add(call.id());
            } else if (arguments.isPresent() && guarded.isPresent()) {
                questions.add(ToolApproval.ask(turn.name().taskId(), call.id(), guarded.get(), arguments.get()));
            } else {
                jobs.add(new SideBySide.Job(call, () -> run(call)));
            }
        }
        return new Round(carryOut(jobs), questions, pending);
    }

    /** What came of the calls that people have approved or declined since an earlier run asked them. */
    List<ContextMessage.ToolResult> resumed() throws InterruptedException {
        List<SideBySide.Job> jobs = new ArrayList<>();
        for (Turn.Answer answer : turn.input().answers()) {
            String id = answer.interrupt().toolCallId();
            if (id != null && ToolApproval.REASON.equals(answer.interrupt().reason())) {
                ToolCall made = answer.call();
                ModelResponse.Call call = made == null
                        ? new ModelResponse.Call(id, "unknown", "{}")
                        : new ModelResponse.Call(
                                id, made.function().name(), made.function().arguments());
                jobs.add(new SideBySide.Job(call, () -> made == null ? GONE : decided(answer, call)));
            }
        }
        return carryOut(jobs);
    }

    private ToolOutcome decided(Turn.Answer answer, ModelResponse.Call call) throws InterruptedException {
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
            case ToolApproval.Decision.Voided(String why) ->
                new ToolOutcome("The tool was not called: the approval does not count. " + why, true);
        };
    }

    private List<ContextMessage.ToolResult> carryOut(List<SideBySide.Job> jobs) throws InterruptedException {
        List<ContextMessage.ToolResult> results = new ArrayList<>();
        if (jobs.isEmpty()) {
            return results;
        }
        emitter.emit(new StepEvent.Started(TOOL_EXECUTION, null, Common.NONE));
        SideBySide.run(jobs, (call, outcome) -> results.add(tell(call, outcome)));
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

    private ContextMessage.ToolResult tell(ModelResponse.Call call, ToolOutcome outcome) throws InterruptedException {
        Common about = outcome.error()
                ? Common.metadata(Json.MAPPER.createObjectNode().put("tool_failed", true))
                : Common.NONE;
        emitter.emit(new ToolEvent.Result(
                ResponseEvents.newId(), call.id(), new Content.Text(outcome.text()), "tool", null, about));
        return new ContextMessage.ToolResult(
                call.id(), call.name(), outcome.text(), outcome.error(), ContextMessage.Origin.NONE);
    }
}
