package dev.parley.runs.input;

import dev.parley.basics.Text;
import dev.parley.limits.Limits;
import dev.parley.protocol.FieldError;
import dev.parley.protocol.Nearest;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.AguiJson;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.RunAgentInput;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The rules for a run's input. First the shape is checked, and the problem names all invalid fields. Then the rules are
 * checked in their order, and the problem contains the sentence of the first broken rule. Clients depend on these
 * sentences.
 */
public final class RunInputRules {
    private static final int MAX_FILENAME = 255;
    private static final String NO_IMAGE = "binary content requires image mimeType";
    private static final List<String> INPUT_MEMBERS = Arrays.stream(RunAgentInput.class.getRecordComponents())
            .map(RecordComponent::getName)
            .toList();

    private final Limits.Runs limits;
    private final int maxId;

    public RunInputRules(Limits.Runs limits, int maxId) {
        this.limits = limits;
        this.maxId = maxId;
    }

    /**
     * Checks all rules and the {@link RunOptions}, but not the caller's right to use the files, which {@link RunFiles}
     * checks.
     */
    public RunAgentInput check(JsonNode body) {
        RunAgentInput input = read(body);
        judge(input, body);
        return input;
    }

    /** Reads the input. A missing id or file type breaks its own rule, not the shape. */
    private RunAgentInput read(JsonNode body) {
        JsonNode complete = body;
        if (body instanceof ObjectNode given) {
            JsonNode threadId = given.get("threadId");
            if (threadId != null && !threadId.isNull() && !threadId.isString()) {
                throw ProblemException.invalidField("threadId", "must be a valid UUID");
            }
            ObjectNode copy = given.objectNode();
            copy.setAll(given);
            copy.set("threadId", textUnlessNull(copy, threadId));
            copy.set("runId", textUnlessNull(copy, given.get("runId")));
            if (!untyped(given).isEmpty()) {
                copy.set("messages", copy.get("messages").deepCopy());
                untyped(copy).values().forEach(file -> file.put("mimeType", ""));
            }
            complete = copy;
        }
        RunAgentInput input = AguiJson.readInput(complete);
        StorableInput.require(complete);
        requireShape(input);
        RunOptions.of(input.forwardedProps());
        return input;
    }

    /** The binary blocks without a type, by their paths. */
    private static Map<String, ObjectNode> untyped(JsonNode body) {
        Map<String, ObjectNode> untyped = new LinkedHashMap<>();
        JsonNode messages = body.path("messages");
        for (int i = 0; i < messages.size(); i++) {
            JsonNode content = messages.path(i).path("content");
            for (int j = 0; j < content.size(); j++) {
                if (content.path(j) instanceof ObjectNode part
                        && part.path("type").asString("").equals("binary")
                        && !part.hasNonNull("mimeType")) {
                    untyped.put("messages[" + i + "].content[" + j + "].mimeType", part);
                }
            }
        }
        return untyped;
    }

    private static JsonNode textUnlessNull(ObjectNode factory, @Nullable JsonNode id) {
        return id == null || id.isNull() ? factory.stringNode("") : id;
    }

    /** The requirements of this face beyond AG-UI; AG-UI's reader has checked the types. */
    private void requireShape(RunAgentInput input) {
        Text.requireId("runId", input.runId());
        for (int i = 0; i < input.messages().size(); i++) {
            String message = "messages[" + i + "]";
            if (input.messages().get(i) instanceof Message.User user) {
                requireContent(message + ".content", user);
            }
            requireId(message + ".id", input.messages().get(i).id());
            BinaryBlock.in(input.messages().get(i)).forEach(file -> {
                Text.requireAtMost(message + ".content.id", orEmpty(file.id()), maxId);
                Text.requireAtMost(message + ".content.filename", orEmpty(file.filename()), MAX_FILENAME);
            });
        }
        for (int i = 0; i < input.tools().size(); i++) {
            String tool = "tools[" + i + "]";
            if (input.tools().get(i).name().isBlank()) {
                throw ProblemException.invalidField(tool + ".name", "must not be empty");
            }
            JsonNode schema = input.tools().get(i).parameters();
            if (schema != null && !schema.isObject()) {
                throw ProblemException.invalidField(tool + ".parameters", "must be an object");
            }
        }
    }

    /** A user's message needs a text or a file, on all faces that start runs. */
    static void requireContent(String field, Message.User user) {
        if (user.content().plainText().isEmpty()
                && BinaryBlock.in(user).findAny().isEmpty()) {
            throw ProblemException.invalidField(field, "must not be empty");
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private void requireId(String field, String id) {
        if (id.isEmpty()) {
            throw ProblemException.invalidField(field, "must not be empty");
        }
        Text.requireId(field, id);
        Text.requireAtMost(field, id, maxId);
    }

    private void judge(RunAgentInput input, JsonNode body) {
        List<Message.User> users = input.messages().stream()
                .filter(Message.User.class::isInstance)
                .map(Message.User.class::cast)
                .toList();
        List<BinaryBlock> files = BinaryBlock.in(input.messages());

        if (ThreadId.parse(input.threadId()).isEmpty()) {
            throw refused("threadId must be a valid UUID", mistyped(body, "threadId"));
        }
        if (input.runId().isEmpty()) {
            throw refused("runId is required", mistyped(body, "runId"));
        }
        require(Text.isAtMost(input.runId(), maxId), "runId exceeds length limit");
        require(input.messages().size() <= limits.messages(), "RunAgentInput.messages exceeds limit");
        require(
                users.stream().allMatch(user -> Text.isAtMost(user.content().plainText(), limits.text())),
                "RunAgentInput user message text exceeds limit");
        require(users.size() == 1, "RunAgentInput.messages must contain exactly one user message");
        require(input.messages().getFirst() instanceof Message.User, "RunAgentInput.messages[0].role must be user");
        if (!files.stream().allMatch(BinaryBlock::isImage)) {
            throw refused(
                    NO_IMAGE,
                    untyped(body).keySet().stream()
                            .map(path -> new FieldError(path, NO_IMAGE))
                            .toList());
        }
        require(files.stream().allMatch(file -> file.url() != null), "binary content requires url");
        require(files.stream().noneMatch(BinaryBlock::hasData), "binary content data is not allowed");
        if (files.size() > limits.attachments()) {
            throw ProblemException.invalidField(
                    "messages", "have more than " + limits.attachments() + " attachments together");
        }
    }

    private static void require(boolean holds, String sentence) {
        if (!holds) {
            throw refused(sentence, List.of());
        }
    }

    private static ProblemException refused(String sentence, List<FieldError> errors) {
        return new ProblemException(Problem.RUN_INPUT_REFUSED, sentence, errors, Map.of());
    }

    /** Finds a probable misspelling of the missing field, such as {@code thread_id} for {@code threadId}. */
    private static List<FieldError> mistyped(JsonNode body, String missing) {
        if (body.hasNonNull(missing)) {
            return List.of();
        }
        return body.propertyNames().stream()
                .filter(name -> Nearest.misspelt(name, INPUT_MEMBERS)
                        .filter(missing::equals)
                        .isPresent())
                .map(name -> new FieldError(name, "is not known; did you mean " + missing + "?"))
                .limit(1)
                .toList();
    }
}
