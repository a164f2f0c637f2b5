package dev.parley.agents;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.ResumeEntry;
import dev.parley.protocol.agui.RunAgentInput;
import java.util.List;
import java.util.UUID;

/**
 * What an agent is asked to answer.
 *
 * @param runId the run's name, as its client gave it
 * @param taskId the run's own id
 * @param agent who answers
 * @param text what was said to it: the text of the messages that it answers, in order, a line each
 * @param context the conversation before and including those messages
 * @param input what came with the run: tools, state, context, and whatever else its client sent
 * @param results what came back for calls that earlier runs had left open, in order
 * @param answers how people decided about the interrupts that this run resumes
 */
public record Turn(
        ThreadId thread,
        String runId,
        UUID taskId,
        Actor agent,
        String text,
        List<Message> context,
        RunAgentInput input,
        List<Message.Tool> results,
        List<Answer> answers) {
    public Turn {
        context = List.copyOf(context);
        results = List.copyOf(results);
        answers = List.copyOf(answers);
    }

    /** A decision, and what it was about. */
    public record Answer(Interrupt interrupt, ResumeEntry decision) {}
}
