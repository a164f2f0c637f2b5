package dev.parley.threads;

import dev.parley.basics.Text;
import dev.parley.log.Role;
import dev.parley.protocol.FieldError;
import dev.parley.protocol.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields of a message's metadata in which an agent reports on its own run. For every other caller, these fields
 * belong to the server. The server marks a message with such fields, so that readers can distinguish the agent's
 * figures from the server's measurements.
 */
public final class RunReport {
    static final String RUN_ID = "run_id";
    /** The mark that the server sets on a message in which an agent reports on its own run. */
    static final String MARK = "self_reported";

    private static final String LATENCY = "latency_ms";
    private static final String OUTPUT = "worker_agent_output";
    private static final List<String> TEXTS = List.of("stage", "message_id", "tool_name");
    private static final Set<String> MEMBERS = Set.of(RUN_ID, "stage", LATENCY, "message_id", "tool_name", OUTPUT);

    private RunReport() {}

    /** True if an agent in its own run may set this field of the metadata. */
    static boolean isMember(String name) {
        return MEMBERS.contains(name);
    }

    /** The first field of the metadata that only an agent in its own run may set. */
    public static Optional<String> firstIn(@Nullable ObjectNode metadata) {
        return metadata == null
                ? Optional.empty()
                : metadata.propertyNames().stream().filter(MEMBERS::contains).findFirst();
    }

    /** The run that the metadata names. */
    public static @Nullable String runIn(@Nullable ObjectNode metadata) {
        JsonNode run = metadata == null ? null : metadata.get(RUN_ID);
        return run != null && run.isString() ? run.asString() : null;
    }

    /** True if a stored message has figures from its agent. */
    public static boolean isSelfReported(JsonNode stored) {
        return stored.path(MARK).asBoolean(false);
    }

    /** True if a stored message has a latency that the server measured. Such a message is a run's own output. */
    public static boolean isMeasured(JsonNode stored) {
        return stored.has(LATENCY) && !isSelfReported(stored);
    }

    /** True if a run wrote a stored message. In other messages, the fields of a run mean nothing. */
    public static boolean isOfRun(Role role, JsonNode stored) {
        return role == Role.USER || role == Role.TOOL ? stored.has(RUN_ID) : isMeasured(stored);
    }

    /** Marks metadata that reports more than the name of its run. Null fields count as absent and are removed. */
    static void mark(ObjectNode metadata) {
        metadata.properties()
                .removeIf(member ->
                        MEMBERS.contains(member.getKey()) && member.getValue().isNull());
        if (metadata.propertyNames().stream().anyMatch(name -> MEMBERS.contains(name) && !name.equals(RUN_ID))) {
            metadata.put(MARK, true);
        }
    }

    /** Refuses fields of a wrong type or size, and names each of them. */
    public static void requireWellFormed(ObjectNode metadata, int idLimit) {
        List<FieldError> errors = new ArrayList<>();
        TEXTS.forEach(name -> requireText(metadata, name, idLimit, errors));
        requireText(metadata, RUN_ID, idLimit, errors);
        JsonNode latency = metadata.path(LATENCY);
        if (isGiven(latency)
                && !(latency.isIntegralNumber() && latency.canConvertToLong() && latency.longValue() >= 0)) {
            errors.add(new FieldError(field(LATENCY), "must be a whole number of milliseconds, 0 or more"));
        }
        JsonNode output = metadata.path(OUTPUT);
        if (isGiven(output) && !output.isObject()) {
            errors.add(new FieldError(field(OUTPUT), "must be an object, such as {\"ui_hints\": {\"title\": \"…\"}}"));
        }
        JsonNode hints = output.path("ui_hints");
        if (isGiven(hints) && !hints.isObject()) {
            errors.add(new FieldError(field(OUTPUT) + ".ui_hints", "must be an object with the hints of the card"));
        }
        if (!errors.isEmpty()) {
            throw ProblemException.invalidFields(errors);
        }
    }

    private static void requireText(ObjectNode metadata, String name, int limit, List<FieldError> errors) {
        JsonNode value = metadata.path(name);
        if (isGiven(value)
                && !(value.isString()
                        && !value.asString().isEmpty()
                        && Text.isAtMost(value.asString(), limit)
                        && Text.isStorable(value.asString()))) {
            errors.add(new FieldError(field(name), "must be a text of 1 to " + limit + " characters, without U+0000"));
        }
    }

    private static boolean isGiven(JsonNode value) {
        return !value.isMissingNode() && !value.isNull();
    }

    private static String field(String name) {
        return "metadata." + name;
    }
}
