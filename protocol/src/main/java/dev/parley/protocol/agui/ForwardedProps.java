package dev.parley.protocol.agui;

import dev.parley.protocol.FieldError;
import dev.parley.protocol.Nearest;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The members of {@code forwardedProps} that the server reads itself. AG-UI leaves the object free: published clients
 * fill it, and agents outside of the server receive the rest of it unchanged.
 */
public final class ForwardedProps {
    public static final String AGENT_ID = "agentId";
    public static final String MULTITASK_STRATEGY = "multitaskStrategy";
    public static final String REGENERATE_FROM = "regenerateFrom";

    /** All of them, in the order of the documentation. */
    public static final List<String> MEMBERS = List.of(AGENT_ID, MULTITASK_STRATEGY, REGENERATE_FROM);

    /** The object may hold as many members as its body has room for; a client's mistake is among the first. */
    private static final int MAX_EXAMINED = 1_000;

    private static final int MAX_FAULTS = 20;
    private static final int MAX_SHOWN = 64;

    private static final String HOME = "forwardedProps.";

    private ForwardedProps() {}

    /** The JSON path of a member in an error; a long name is cut. */
    public static String path(String member) {
        return HOME
                + (member.codePointCount(0, member.length()) <= MAX_SHOWN
                        ? member
                        : member.substring(0, member.offsetByCodePoints(0, MAX_SHOWN)) + "…");
    }

    /** The members that misspell one of ours, for the agent face, whose clients write the object by hand. */
    public static List<FieldError> misspelt(@Nullable JsonNode props) {
        return faults(props, name -> Nearest.misspelt(name, MEMBERS).map(meant -> unknown(name, meant)));
    }

    /**
     * The members that write one of ours in another case or with separators, for AG-UI. There, members that only
     * resemble ours, such as {@code agent}, belong to the app.
     */
    public static List<FieldError> variants(@Nullable JsonNode props) {
        return faults(props, name -> Nearest.variant(name, MEMBERS).map(meant -> unknown(name, meant)));
    }

    /** The members that are none of ours, for a run whose agent reads no others. */
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
