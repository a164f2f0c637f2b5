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
 * The input of one answer: messages of a thread, and the input of the run.
 *
 * @param runId the run's name, as its client gave it
 * @param taskId the server's own id of the run
 * @param agent the answering agent
 * @param text the text of the messages to answer, in order, a line each
 * @param images the images of those messages, in order
 * @param documents the other files of those messages
 * @param links media of those messages on other servers; the server never fetches them
 * @param conversation the conversation up to and including those messages, read on demand
 * @param shared the shared state of the thread, read on demand
 * @param input the run's input: tools, state, context, and the other members that its client sent
 * @param given messages of other roles that the run's client supplied, in its order; none is in the conversation
 * @param results results of calls that earlier runs left open, in order
 * @param answers decisions about the interrupts that this run resumes
 * @param holds true for ids of messages in the thread, readable for the agent or not
 * @param requests model requests, for agents that ask models
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

    /** The run's name for log lines. */
    public RunName name() {
        return new RunName(runId, taskId);
    }

    /** The conversation up to and including the messages to answer; many agents never read it. */
    public List<Message> context() {
        return conversation.get();
    }

    /** The initial state: the run's, or else the shared state of the thread. */
    public JsonNode state() {
        JsonNode given = input.state();
        return given == null || given.isObject() && given.isEmpty() ? shared.get() : given;
    }

    /**
     * A stored image or other file.
     *
     * @param messageId the id of its message in the conversation
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

    /** A part of a message whose bytes are on another server. */
    public record Link(String messageId, ContentPart.Media part) {}

    /**
     * A decision about an interrupt.
     *
     * @param askedBy the run of the interrupt
     * @param call the call of that run that the interrupt names; null if it names none, or one that no longer exists
     */
    public record Answer(
            Interrupt interrupt,
            ResumeEntry decision,
            UUID askedBy,
            @Nullable ToolCall call) {}
}
