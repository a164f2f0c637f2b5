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
     * @param text their text, in order, a line each
     * @param images their images, in order
     * @param documents their other files
     * @param links their media on other servers, which the server never fetches
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
     * @param sent tools, state, context, and the other members that the client sent
     * @param given messages of other roles, in its order; none of them is in the conversation
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
     * The parts of its thread that the agent may read, each on demand.
     *
     * @param conversation the conversation up to and including the messages to answer
     * @param shared the shared state of the thread
     * @param holds true for ids of messages in the thread, readable for the agent or not
     */
    public record ThreadAccess(
            Supplier<List<Message>> conversation, Supplier<JsonNode> shared, Predicate<String> holds) {}

    /** The conversation up to and including the messages to answer; many agents never read it. */
    public List<Message> context() {
        return access.conversation().get();
    }

    /** The initial state: the run's, or else the shared state of the thread. */
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
     * @param askedBy the run of the interrupt
     * @param call the call of that run that the interrupt names; null if it names none, or one that no longer exists
     */
    public record Answer(
            Interrupt interrupt,
            ResumeEntry decision,
            UUID askedBy,
            @Nullable ToolCall call) {}
}
