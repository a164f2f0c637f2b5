package dev.parley.protocol.agui;

import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.deser.std.StdDeserializer;

/**
 * Reads and writes AG-UI. Every field that 1.0 knows must be valid; other fields are allowed. Invalid input fails with
 * a {@link ProblemException} that names every invalid field by its JSON path. {@link Json#MAPPER} reads and writes
 * these types as well, with the same results.
 */
public final class AguiJson {
    private AguiJson() {}

    /**
     * @param path the path of the event in its document, such as {@code events[3]}; empty if the event is the document
     */
    public static AguiEvent readEvent(JsonNode json, String path) {
        return read(json, path, EventReader::event);
    }

    public static AguiEvent readEvent(String json) {
        JsonNode tree;
        try {
            tree = Json.MAPPER.readTree(json);
        } catch (JacksonException e) {
            throw new ProblemException(Problem.INVALID_JSON, "The event is not valid JSON.");
        }
        return readEvent(tree, "");
    }

    public static RunAgentInput readInput(JsonNode json) {
        return read(json, "", InputReader::input);
    }

    public static Message readMessage(JsonNode json, String path) {
        return read(json, path, MessageReader::message);
    }

    public static String write(AguiEvent event) {
        return Json.MAPPER.writeValueAsString(event);
    }

    private static <T> T read(JsonNode json, String path, Function<CheckedNode, Optional<T>> reader) {
        CheckedNode node = CheckedNode.root(json, path);
        Optional<T> read = reader.apply(node);
        node.refuseFaults();
        return read.orElseThrow(() -> new IllegalStateException("nothing was read, and no fault was noted"));
    }

    /** Reads a value as a tree. The paths of its faults begin with the parser's path. */
    private static <T> T read(
            JsonParser parser, DeserializationContext context, Function<CheckedNode, Optional<T>> reader) {
        String path = path(parser.streamReadContext().pathAsPointer());
        return read(context.readTree(parser), path, reader);
    }

    private static String path(JsonPointer pointer) {
        StringBuilder path = new StringBuilder();
        for (JsonPointer step = pointer; !step.matches(); step = step.tail()) {
            if (step.mayMatchElement()) {
                path.append('[').append(step.getMatchingIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getMatchingProperty());
            }
        }
        return path.toString();
    }

    static final class EventDeserializer extends StdDeserializer<AguiEvent> {
        EventDeserializer() {
            super(AguiEvent.class);
        }

        @Override
        public AguiEvent deserialize(JsonParser parser, DeserializationContext context) {
            return read(parser, context, EventReader::event);
        }
    }

    static final class InputDeserializer extends StdDeserializer<RunAgentInput> {
        InputDeserializer() {
            super(RunAgentInput.class);
        }

        @Override
        public RunAgentInput deserialize(JsonParser parser, DeserializationContext context) {
            return read(parser, context, InputReader::input);
        }
    }

    static final class MessageDeserializer extends StdDeserializer<Message> {
        MessageDeserializer() {
            super(Message.class);
        }

        @Override
        public Message deserialize(JsonParser parser, DeserializationContext context) {
            return read(parser, context, MessageReader::message);
        }
    }
}
