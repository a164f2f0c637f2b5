package dev.parley.protocol.agui;

import dev.parley.protocol.FieldError;
import dev.parley.protocol.Nearest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The members of {@code forwardedProps} that the server reads itself. The object is AG-UI's free bag: published clients
 * fill it, and agents outside the server receive the rest of it as it came.
 */
public final class ForwardedProps {
    public static final String AGENT_ID = "agentId";
    public static final String MULTITASK_STRATEGY = "multitaskStrategy";
    public static final String REGENERATE_FROM = "regenerateFrom";

    /** All of them, in the order of the documentation. */
    public static final List<String> MEMBERS = List.of(AGENT_ID, MULTITASK_STRATEGY, REGENERATE_FROM);

    private static final String HOME = "forwardedProps.";

    private ForwardedProps() {}

    public static String path(String member) {
        return HOME + member;
    }

    /** The members that misspell one of ours; nobody means them for an agent. */
    public static List<FieldError> misspelt(@Nullable JsonNode props) {
        return names(props).stream()
                .flatMap(name -> Nearest.misspelt(name, MEMBERS).stream().map(meant -> unknown(name, meant)))
                .toList();
    }

    /** The members that are none of ours, for a run whose agent reads no others. */
    public static List<FieldError> unread(@Nullable JsonNode props) {
        return names(props).stream()
                .filter(name -> !MEMBERS.contains(name))
                .map(name -> unknown(name, Nearest.of(name, MEMBERS)))
                .toList();
    }

    private static FieldError unknown(String name, String meant) {
        return new FieldError(path(name), "is not known; did you mean " + meant + "?");
    }

    private static List<String> names(@Nullable JsonNode props) {
        return props == null ? List.of() : List.copyOf(props.propertyNames());
    }
}
