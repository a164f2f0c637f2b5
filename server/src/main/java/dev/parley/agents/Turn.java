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
 * @param name the names of the run
 * @param agent the answering agent
 * @param requests model requests, for agents that ask models
 */
public record Turn(
        ThreadId thread,
        RunName name,
        Actor agent,
        Question question,
        Input input,
        ThreadAccess access,
        ModelRequests requests) {
    /**
     * The messages that the agent answers.
     *
     * @param text the texts of the messages, in order, each on a new line
     * @param images the images of the messages, in order
     * @param documents the other files of the messages
     * @param links the media of the messages on other servers, which this server never fetches
     */
    public record Question(String text, List<Image> images, List<Image> documents, List<Link> links) {
        public Question {
            images = List.copyOf(images);
            documents = List.copyOf(documents);
            links = List.copyOf(links);
        }
    }

    /**
     * The input of the run's client.
     *
     * @param sent tools, state, context, and the other fields that the client sent
     * @param given the given messages, in the client's order; none of these is in the conversation
     * @param results results of calls that earlier runs left open, in order
     * @param answers decisions about the interrupts that this run resumes
     */
    public record Input(RunAgentInput sent, List<Message> given, List<Message.Tool> results, List<Answer> answers) {
        public Input {
            given = List.copyOf(given);
            results = List.copyOf(results);
            answers = List.copyOf(answers);
        }
    }

    /**
     * The parts of the thread that the agent may read. Each part is read on demand.
     *
     * @param conversation the conversation up to and including the messages to answer
     * @param shared the shared state of the thread
     * @param holds true for the id of any message in the thread, even if the agent may not read the message
     */
    public record ThreadAccess(
            Supplier<List<Message>> conversation, Supplier<JsonNode> shared, Predicate<String> holds) {}

    /** The conversation up to and including the messages to answer; many agents never read it. */
    public List<Message> context() {
        return access.conversation().get();
    }

    /**
     * The initial state: the state that the client sent, or the shared state of the thread if the client sent none or
     * an empty object.
     */
    public JsonNode state() {
        JsonNode given = input.sent().state();
        return given == null || given.isObject() && given.isEmpty()
                ? access.shared().get()
                : given;
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
     * @param askedBy the run that raised the interrupt
     * @param call the tool call of that run that the interrupt names; null if the interrupt names no call, or if the
     *     call no longer exists
     */
    public record Answer(
            Interrupt interrupt,
            ResumeEntry decision,
            UUID askedBy,
            @Nullable ToolCall call) {}
}
