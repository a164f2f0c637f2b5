package dev.parley.runs.input;

import dev.parley.agents.RegisteredAgent;
import dev.parley.protocol.FieldError;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.ForwardedProps;
import dev.parley.runs.lifecycle.MultitaskStrategy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A client's options for its run. The options are in the input's forwarded properties, together with fields for the
 * agent ({@link ForwardedProps}).
 *
 * @param agentId the id or the name of the agent that shall answer; null for the thread's agent, or else the server's
 * default agent
 * @param regenerateFrom the user message up to which the run sees the thread
 */
public record RunOptions(
        @Nullable String agentId,
        MultitaskStrategy strategy,
        @Nullable String regenerateFrom) {
    /** The same options for this agent. */
    public RunOptions by(String agent) {
        return new RunOptions(agent, strategy, regenerateFrom);
    }

    /**
     * The options in these properties. Null, or a value that is not an object, gives the defaults. A misspelt option is
     * refused, because the server would run another agent if it ignored the option.
     */
    public static RunOptions of(@Nullable JsonNode forwardedProps) {
        return read(forwardedProps, ForwardedProps.misspelt(forwardedProps));
    }

    /**
     * The options in the properties of AG-UI. Apps fill this object freely, so a name counts as a misspelt option only
     * if it differs by case or separators.
     */
    public static RunOptions ofAgui(@Nullable JsonNode forwardedProps) {
        return read(forwardedProps, ForwardedProps.variants(forwardedProps));
    }

    private static RunOptions read(@Nullable JsonNode forwardedProps, List<FieldError> misspelt) {
        List<FieldError> faults = new ArrayList<>(misspelt);
        RunOptions options = new RunOptions(
                text(forwardedProps, ForwardedProps.AGENT_ID, faults),
                strategy(forwardedProps, faults),
                text(forwardedProps, ForwardedProps.REGENERATE_FROM, faults));
        if (!faults.isEmpty()) {
            throw ProblemException.invalidFields(faults);
        }
        return options;
    }

    /** Refuses a field that the agent does not receive. Agents outside the server receive all fields. */
    public static void requireRead(@Nullable JsonNode forwardedProps, RegisteredAgent.Kind agent) {
        List<FieldError> unread = agent.receivesForwardedProps() ? List.of() : ForwardedProps.unread(forwardedProps);
        if (!unread.isEmpty()) {
            throw ProblemException.invalidFields(unread);
        }
    }

    private static MultitaskStrategy strategy(@Nullable JsonNode props, List<FieldError> faults) {
        JsonNode node = member(props, ForwardedProps.MULTITASK_STRATEGY);
        if (node == null) {
            return MultitaskStrategy.ENQUEUE;
        }
        for (MultitaskStrategy each : MultitaskStrategy.values()) {
            if (node.isString() && node.stringValue().equals(each.toString())) {
                return each;
            }
        }
        String known = Arrays.stream(MultitaskStrategy.values())
                .map(MultitaskStrategy::toString)
                .sorted()
                .collect(Collectors.joining(", "));
        faults.add(new FieldError(ForwardedProps.path(ForwardedProps.MULTITASK_STRATEGY), "must be one of " + known));
        return MultitaskStrategy.ENQUEUE;
    }

    private static @Nullable String text(@Nullable JsonNode props, String name, List<FieldError> faults) {
        JsonNode node = member(props, name);
        if (node == null) {
            return null;
        }
        if (!node.isString()) {
            faults.add(new FieldError(ForwardedProps.path(name), "must be a text"));
            return null;
        }
        return node.stringValue();
    }

    private static @Nullable JsonNode member(@Nullable JsonNode props, String name) {
        JsonNode node = props == null ? null : props.get(name);
        return node == null || node.isNull() ? null : node;
    }
}
