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
 * @param name the names of the run
 * @param agent who answers
 * @param requests for agents that ask models
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
     * @param images what was shown along with them, in order
     * @param documents other files that came along with them
     * @param links media that came along with them and that others keep: nobody here fetches them
     */
    public record Question(String text, List<Image> images, List<Image> documents, List<Link> links) {
        public Question {
            images = List.copyOf(images);
            documents = List.copyOf(documents);
            links = List.copyOf(links);
        }
    }

    /**
     * What the run's client supplied.
     *
     * @param sent tools, state, context, and whatever else its client sent
     * @param given messages of other roles, in its order; none of them is in the conversation
     * @param results what came back for calls that earlier runs had left open, in order
     * @param answers how people decided about the interrupts that this run resumes
     */
    public record Input(RunAgentInput sent, List<Message> given, List<Message.Tool> results, List<Answer> answers) {
        public Input {
            given = List.copyOf(given);
            results = List.copyOf(results);
            answers = List.copyOf(answers);
        }
    }

    /**
     * What the agent may read of its thread, each when it is asked for.
     *
     * @param conversation gives the conversation before and including the messages of the question
     * @param shared gives the state that the thread shares
     * @param holds whether the thread has a message of an id, within reach of the agent or not
     */
    public record ThreadAccess(
            Supplier<List<Message>> conversation, Supplier<JsonNode> shared, Predicate<String> holds) {}

    /** The conversation before and including the messages to be answered. Many agents never ask. */
    public List<Message> context() {
        return access.conversation().get();
    }

    /** The state to begin with: what came with the run, else what the thread shares. */
    public JsonNode state() {
        JsonNode given = input.sent().state();
        return given == null || given.isObject() && given.isEmpty()
                ? access.shared().get()
                : given;
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
