package dev.parley.protocol.agui;

import dev.parley.protocol.FieldError;
import dev.parley.protocol.Nearest;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The fields of {@code forwardedProps} that the server reads itself. AG-UI leaves the content of this object free.
 * Published clients put fields of their own into it, and agents outside of the server receive these fields unchanged.
 */
public final class ForwardedProps {
    public static final String AGENT_ID = "agentId";
    public static final String MULTITASK_STRATEGY = "multitaskStrategy";
    public static final String REGENERATE_FROM = "regenerateFrom";

    /** All fields that the server reads, in the order of the documentation. */
    public static final List<String> MEMBERS = List.of(AGENT_ID, MULTITASK_STRATEGY, REGENERATE_FROM);

    /**
     * The number of fields that are checked, from the first field on. An object may have as many fields as fit into the
     * request's body, but a misspelled field is probably among the first fields.
     */
    private static final int MAX_EXAMINED = 1_000;

    private static final int MAX_FAULTS = 20;
    private static final int MAX_SHOWN = 64;

    private static final String HOME = "forwardedProps.";

    private ForwardedProps() {}

    /** The JSON path of a field in an error; a long name is cut. */
    public static String path(String member) {
        return HOME
                + (member.codePointCount(0, member.length()) <= MAX_SHOWN
                        ? member
                        : member.substring(0, member.offsetByCodePoints(0, MAX_SHOWN)) + "…");
    }

    /**
     * Errors for fields that misspell a field of the server. The agent face uses this check, because its clients write
     * the object by hand.
     */
    public static List<FieldError> misspelt(@Nullable JsonNode props) {
        return faults(props, name -> Nearest.misspelt(name, MEMBERS).map(meant -> unknown(name, meant)));
    }

    /**
     * Errors for fields that equal a field of the server except for case and separators. AG-UI uses this check, because
     * there a field that only resembles a field of the server, such as {@code agent}, belongs to the app.
     */
    public static List<FieldError> variants(@Nullable JsonNode props) {
        return faults(props, name -> Nearest.variant(name, MEMBERS).map(meant -> unknown(name, meant)));
    }

    /** Errors for all fields that the server does not read, for a run whose agent does not receive the object. */
    public static List<FieldError> unread(@Nullable JsonNode props) {
        return faults(
                props,
                name -> MEMBERS.contains(name)
                        ? Optional.empty()
                        : Optional.of(Nearest.misspelt(name, MEMBERS)
                                .map(meant -> unknown(name, meant))
                                .orElseGet(() -> new FieldError(
                                        path(name), "is not known; the agent reads " + String.join(", ", MEMBERS)))));
    }

    private static FieldError unknown(String name, String meant) {
        return new FieldError(path(name), "is not known; did you mean " + meant + "?");
    }

    private static List<FieldError> faults(@Nullable JsonNode props, Function<String, Optional<FieldError>> fault) {
        return props == null
                ? List.of()
                : props.propertyNames().stream()
                        .limit(MAX_EXAMINED)
                        .flatMap(name -> fault.apply(name).stream())
                        .limit(MAX_FAULTS)
                        .toList();
    }
}
