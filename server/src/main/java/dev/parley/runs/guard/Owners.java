package dev.parley.runs.guard;

import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.ToolCall;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The owners of a run's messages, calls and other items: a subagent, or the run's own agent. An owner is remembered
 * after the item has ended, because the item may be opened again or extended, and then only by the same owner. An id is
 * unique only among items of one kind.
 */
final class Owners {
    /** A null value stands for the run's own agent, which is an owner like a subagent. */
    private final Map<String, @Nullable String> messages = new HashMap<>();

    private final Map<String, @Nullable String> toolCalls = new HashMap<>();
    private final Map<String, @Nullable String> activities = new HashMap<>();
    private final Map<String, @Nullable String> reasonings = new HashMap<>();

    enum Kind {
        MESSAGE,
        TOOL_CALL,
        ACTIVITY,
        REASONING
    }

    boolean knows(Kind kind, String id) {
        return of(kind).containsKey(id);
    }

    @Nullable
    String owner(Kind kind, String id) {
        return of(kind).get(id);
    }

    void set(Kind kind, String id, @Nullable String owner) {
        of(kind).put(id, owner);
    }

    /**
     * Sets the owner of an item, unless the item has one. A later opening without an owner must not give the item to
     * the run's own agent.
     */
    void setIfNew(Kind kind, String id, @Nullable String owner) {
        if (!knows(kind, id)) {
            set(kind, id, owner);
        }
    }

    /** An event without an owner is accepted for items of every owner. */
    void requireSame(String type, Kind kind, String id, @Nullable String claimed) throws IllegalSequence {
        if (claimed != null && knows(kind, id) && !claimed.equals(owner(kind, id))) {
            throw new IllegalSequence(type + " of subagent '" + claimed + "' for '" + id + "', which belongs to "
                    + name(owner(kind, id)));
        }
    }

    /**
     * Learns owners from restated history.
     *
     * @param authoritative true if the history replaces the known owners, as a snapshot does; false if it only adds
     * owners, as an echo does
     */
    void learn(List<Message> history, boolean authoritative) {
        for (Message message : history) {
            Kind kind = switch (message) {
                case Message.Reasoning _ -> Kind.REASONING;
                case Message.Activity _ -> Kind.ACTIVITY;
                case Message.User _, Message.Tool _, Message.SystemPrompt _, Message.Developer _ -> Kind.MESSAGE;
                case Message.Assistant assistant -> {
                    for (ToolCall call : assistant.toolCalls()) {
                        learn(Kind.TOOL_CALL, call.id(), message.subagentRunId(), authoritative);
                    }
                    yield Kind.MESSAGE;
                }
            };
            learn(kind, message.id(), message.subagentRunId(), authoritative);
        }
    }

    private void learn(Kind kind, String id, @Nullable String owner, boolean authoritative) {
        if (authoritative) {
            set(kind, id, owner);
        } else {
            setIfNew(kind, id, owner);
        }
    }

    static String name(@Nullable String owner) {
        return owner == null ? "the run's own agent" : "subagent '" + owner + "'";
    }

    private Map<String, @Nullable String> of(Kind kind) {
        return switch (kind) {
            case MESSAGE -> messages;
            case TOOL_CALL -> toolCalls;
            case ACTIVITY -> activities;
            case REASONING -> reasonings;
        };
    }
}
