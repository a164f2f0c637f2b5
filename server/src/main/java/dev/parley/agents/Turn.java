package dev.parley.agents;

import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.ContentPart;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.ResumeEntry;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.protocol.agui.ToolCall;
import java.io.InputStream;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What an agent is asked to answer.
 *
 * @param runId the run's name, as its client gave it
 * @param taskId the run's own id
 * @param agent who answers
 * @param text what was said to it: the text of the messages that it answers, in order, a line each
 * @param images what was shown along with those messages, in order
 * @param documents other files that came along with them
 * @param links media that came along with them and that others keep: nobody here fetches them
 * @param conversation gives the conversation before and including those messages; read when it is asked for
 * @param shared gives the state that the thread shares; read when it is asked for
 * @param input what came with the run: tools, state, context, and whatever else its client sent
 * @param given messages of other roles that the run's client supplied, in its order; none of them is in the conversation
 * @param results what came back for calls that earlier runs had left open, in order
 * @param answers how people decided about the interrupts that this run resumes
 * @param holds whether the thread has a message of an id, within reach of the agent or not
 * @param requests for agents that ask models
 */
public record Turn(
        ThreadId thread,
        String runId,
        UUID taskId,
        Actor agent,
        String text,
        List<Image> images,
        List<Image> documents,
        List<Link> links,
        Supplier<List<Message>> conversation,
        Supplier<JsonNode> shared,
        RunAgentInput input,
        List<Message> given,
        List<Message.Tool> results,
        List<Answer> answers,
        Predicate<String> holds,
        ModelRequests requests) {
    public Turn {
        images = List.copyOf(images);
        documents = List.copyOf(documents);
        links = List.copyOf(links);
        given = List.copyOf(given);
        results = List.copyOf(results);
        answers = List.copyOf(answers);
    }

    /** What log lines call the run. */
    public RunName name() {
        return new RunName(runId, taskId);
    }

    /** The conversation before and including the messages to be answered. Many agents never ask. */
    public List<Message> context() {
        return conversation.get();
    }

    /** The state to begin with: what came with the run, else what the thread shares. */
    public JsonNode state() {
        JsonNode given = input.state();
        return given == null || given.isObject() && given.isEmpty() ? shared.get() : given;
    }

    /**
     * An image, or another file, as it is stored.
     *
     * @param messageId the message that shows it, as the conversation names it
     * @param content opens its bytes
     */
    public record Image(
            String messageId,
            String mimeType,
            @Nullable String filename,
            long bytes,
            int width,
            int height,
            Supplier<InputStream> content) {}

    /** A part of a message whose bytes are elsewhere. */
    public record Link(String messageId, ContentPart.Media part) {}

    /**
     * A decision, and what it was about.
     *
     * @param askedBy the run that asked
     * @param call the call of that run that the question names; null if it names none, or one that is not there any more
     */
    public record Answer(
            Interrupt interrupt,
            ResumeEntry decision,
            UUID askedBy,
            @Nullable ToolCall call) {}
}
