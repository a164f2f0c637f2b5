package dev.parley.assembly;

import dev.parley.log.Role;
import dev.parley.log.Said;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.AguiJson;
import dev.parley.protocol.agui.Content;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.ToolCall;
import dev.parley.threads.RevisedMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Turns the messages of a thread into what one agent sees of it. Its own turns stay as they are; other agents speak as
 * users with their name in front, and so do people as soon as there is more than one of them.
 */
public final class Assembly {
    private Assembly() {}

    /**
     * Whose eyes to look through.
     *
     * @param triggers the seqs of the messages that are to be answered: they come last
     * @param otherTriggers those that other unfinished runs will answer: they are left out
     * @param names of those who speak
     */
    public record Viewpoint(Actor agent, Set<Long> triggers, Set<Long> otherTriggers, Map<Actor, String> names) {
        public Viewpoint {
            triggers = Set.copyOf(triggers);
            otherTriggers = Set.copyOf(otherTriggers);
            names = Map.copyOf(names);
        }
    }

    /** @param messages the thread's messages, the triggers among them, in any order */
    public static List<Message> context(List<RevisedMessage> messages, Viewpoint view) {
        List<RevisedMessage> seen = messages.stream()
                .filter(message -> counts(message, view))
                .sorted(Comparator.comparing((RevisedMessage message) ->
                                view.triggers().contains(message.original().seq()))
                        .thenComparingLong(message -> message.original().seq()))
                .toList();
        boolean manyPeople = seen.stream()
                        .map(message -> message.original().said().author())
                        .filter(author -> author.kind() != Actor.Kind.AGENT)
                        .distinct()
                        .count()
                > 1;
        List<Message> context = new ArrayList<>();
        for (RevisedMessage message : seen) {
            Message turn = turn(message, view, manyPeople);
            if (turn != null) {
                context.add(turn);
            }
        }
        return context;
    }

    private static boolean counts(RevisedMessage message, Viewpoint view) {
        long seq = message.original().seq();
        return view.triggers().contains(seq)
                || !message.isDeleted()
                        && !message.withdrawn()
                        && !message.superseded()
                        && !view.otherTriggers().contains(seq);
    }

    private static @Nullable Message turn(RevisedMessage message, Viewpoint view, boolean manyPeople) {
        Said said = message.original().said();
        boolean own = said.author().equals(view.agent());
        ObjectNode metadata = said.metadata() == null
                ? Json.MAPPER.createObjectNode()
                : (ObjectNode) Json.MAPPER.readTree(said.metadata());
        if (said.role() == Role.TOOL) {
            // What another agent's tools said is that agent's to tell.
            return own
                    ? new Message.Tool(
                            said.id(),
                            new Content.Text(message.content()),
                            metadata.path("tool_call_id").asString(""),
                            metadata.path("error").isString()
                                    ? metadata.path("error").stringValue()
                                    : null,
                            null,
                            null,
                            null)
                    : null;
        }
        if (said.role() == Role.SYSTEM) {
            return null;
        }
        if (own && said.role() == Role.ASSISTANT) {
            return new Message.Assistant(said.id(), message.content(), null, calls(metadata), null, null, null);
        }
        boolean headed = said.author().kind() == Actor.Kind.AGENT || manyPeople;
        String text = headed ? header(said.author(), view) + message.content() : message.content();
        return new Message.User(said.id(), text);
    }

    /** The calls that a message of the log made. What agents that speak for themselves put there may be anything. */
    public static List<ToolCall> calls(ObjectNode metadata) {
        if (!metadata.has("tool_calls")) {
            return List.of();
        }
        ObjectNode message = Json.MAPPER.createObjectNode().put("id", "-").put("role", "assistant");
        message.set("toolCalls", metadata.get("tool_calls"));
        try {
            return AguiJson.readMessage(message, "") instanceof Message.Assistant made ? made.toolCalls() : List.of();
        } catch (ProblemException unreadable) {
            return List.of();
        }
    }

    private static String header(Actor author, Viewpoint view) {
        return "[" + Names.neutral(view.names().getOrDefault(author, ""), author) + "]: ";
    }
}
