package dev.parley.runs.execution;

import dev.parley.agents.Turn;
import dev.parley.assembly.Assembly;
import dev.parley.protocol.agui.ResumeEntry;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.protocol.agui.ToolCall;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunStore;
import dev.parley.threads.ReadMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the answers for a run that resumes. Each answer contains a decision, the question, the run that asked the
 * question, and the tool call that the question is about.
 */
final class RunAnswers {
    private RunAnswers() {}

    /** @param messages the messages of the thread that the run sees */
    static List<Turn.Answer> of(Run run, RunAgentInput input, RunStore store, Supplier<List<ReadMessage>> messages) {
        if (input.resume().isEmpty()) {
            return List.of();
        }
        Map<String, RunStore.OpenInterrupt> questions = store.answeredBy(run.taskId()).stream()
                .collect(Collectors.toMap(
                        interrupt -> interrupt.question().id(), interrupt -> interrupt, (first, second) -> second));
        List<Turn.Answer> answers = new ArrayList<>();
        for (ResumeEntry decision : input.resume()) {
            RunStore.OpenInterrupt interrupt = questions.get(decision.interruptId());
            if (interrupt != null) {
                String call = interrupt.question().toolCallId();
                answers.add(new Turn.Answer(
                        interrupt.question(),
                        decision,
                        interrupt.task(),
                        call == null
                                ? null
                                : store.find(interrupt.task())
                                        .map(asking -> find(call, asking, messages.get()))
                                        .orElse(null)));
            }
        }
        return answers;
    }

    /** The call from the log, if the asking run itself made the call. */
    private static @Nullable ToolCall find(String call, Run asking, List<ReadMessage> messages) {
        return messages.stream()
                .filter(message ->
                        message.message().original().content().author().equals(asking.agent()))
                .filter(message ->
                        message.metadata().path("run_id").asString("").equals(asking.runId()))
                .flatMap(message -> Assembly.calls(message.metadata()).stream())
                .filter(made -> made.id().equals(call))
                .findFirst()
                .orElse(null);
    }
}
