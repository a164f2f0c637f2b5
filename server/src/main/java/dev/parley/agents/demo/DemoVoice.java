package dev.parley.agents.demo;

import dev.parley.agents.Agent;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.Common;
import dev.parley.protocol.agui.StepEvent;
import dev.parley.protocol.agui.TextEvent;
import dev.parley.protocol.agui.TextRole;
import dev.parley.protocol.agui.ToolEvent;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the events of one speaker in a run: the agent itself or a member of its team.
 *
 * @param subagentRunId the speaking member's run; null for the agent itself
 */
record DemoVoice(
        Agent.Emitter emitter,
        Supplier<String> ids,
        @Nullable String subagentRunId) {
    /** Length of a delta of arguments. It is small, so that even short arguments need several deltas. */
    private static final int ARGUMENT_PIECE = 6;

    String newId() {
        return ids.get();
    }

    void emit(AguiEvent event) throws InterruptedException {
        emitter.emit(event);
    }

    void enter(DemoStage stage) throws InterruptedException {
        emit(new StepEvent.Started(stage.toString(), subagentRunId, Common.NONE));
    }

    void leave(DemoStage stage) throws InterruptedException {
        emit(new StepEvent.Finished(stage.toString(), subagentRunId, Common.NONE));
    }

    void answer(String text) throws InterruptedException {
        answer(text, Common.NONE);
    }

    /**
     * Writes a whole answer in a stage of its own.
     *
     * @param end common fields of the message's last event
     */
    void answer(String text, Common end) throws InterruptedException {
        enter(DemoStage.EXECUTION);
        say(text, end);
        leave(DemoStage.EXECUTION);
    }

    void say(String text, Common end) throws InterruptedException {
        String id = begin();
        for (String word : WordPieces.of(text)) {
            add(id, word);
        }
        emit(new TextEvent.End(id, subagentRunId, end));
    }

    /** Opens a message and returns its id. */
    String begin() throws InterruptedException {
        String id = newId();
        emit(new TextEvent.Start(id, TextRole.ASSISTANT, null, subagentRunId, Common.NONE));
        return id;
    }

    void add(String message, String delta) throws InterruptedException {
        emit(new TextEvent.Content(message, delta, subagentRunId, Common.NONE));
    }

    void end(String message) throws InterruptedException {
        emit(new TextEvent.End(message, subagentRunId, Common.NONE));
    }

    /** Calls a tool in a message without text, and returns the call's id. */
    String call(String tool, String arguments) throws InterruptedException {
        String message = newId();
        String call = newId();
        emit(new ToolEvent.Start(call, tool, message, subagentRunId, Common.NONE));
        for (String piece : WordPieces.evenly(arguments, ARGUMENT_PIECE)) {
            emit(new ToolEvent.Args(call, piece, subagentRunId, Common.NONE));
        }
        emit(new ToolEvent.End(call, subagentRunId, Common.NONE));
        return call;
    }
}
