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
 * The members of a message's metadata by which an agent reports on its own run. For every other caller they belong to
 * the server. A message that carries them is marked, so that readers can tell the agent's figures from the server's
 * measurements.
 */
public final class RunReport {
    static final String RUN_ID = "run_id";
    /** The server's mark on a message whose run its own agent has reported on. */
    static final String MARK = "self_reported";

    private static final String LATENCY = "latency_ms";
    private static final String OUTPUT = "worker_agent_output";
    private static final List<String> TEXTS = List.of("stage", "message_id", "tool_name");
    private static final Set<String> MEMBERS = Set.of(RUN_ID, "stage", LATENCY, "message_id", "tool_name", OUTPUT);

    private RunReport() {}

    /** True if an agent in its own run may set this member of the metadata. */
    static boolean isMember(String name) {
        return MEMBERS.contains(name);
    }

    /** The first member of the metadata that only an agent in its own run may give. */
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

    /** True if a stored message has a latency that the server measured: it is then a run's own output. */
    public static boolean isMeasured(JsonNode stored) {
        return stored.has(LATENCY) && !isSelfReported(stored);
    }

    /** True if a run wrote a stored message. The same names in messages of other actors mean nothing. */
    public static boolean isOfRun(Role role, JsonNode stored) {
        return role == Role.USER || role == Role.TOOL ? stored.has(RUN_ID) : isMeasured(stored);
    }

    /** Marks a message that reports more than the name of its run; null members count as absent. */
    static void mark(ObjectNode metadata) {
        metadata.properties()
                .removeIf(member ->
                        MEMBERS.contains(member.getKey()) && member.getValue().isNull());
        if (metadata.propertyNames().stream().anyMatch(name -> MEMBERS.contains(name) && !name.equals(RUN_ID))) {
            metadata.put(MARK, true);
        }
    }

    /** Refuses members of a wrong type or size, naming each. */
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
