package dev.parley.runs.input;

import dev.parley.basics.Text;
import dev.parley.limits.Limits;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.AguiJson;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.RunAgentInput;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The rules for a run's input from a client that sends the whole conversation. Elements that the protocol knows must be
 * valid. Unknown elements, such as a role or a kind of part from a later version, are left out and do not fail the run.
 */
public final class FullHistoryRules {
    private static final Set<String> ROLES =
            Set.of("user", "assistant", "system", "tool", "developer", "reasoning", "activity");
    private static final Set<String> PARTS = Set.of("text", "binary", "image", "audio", "video", "document");
    private static final Set<String> SOURCES = Set.of("data", "url", "file");

    /**
     * The fields of an input that are always stored. The texts of messages are checked later, by
     * {@link #requireUsable}.
     */
    private static final List<String> STORED =
            List.of("runId", "parentRunId", "state", "tools", "context", "forwardedProps", "resume");

    /** The maximum number of characters in a field that is stored and shown along with a message. */
    private static final int MAX_EXTRA = 8 * 1024;

    private final Limits.Agui limits;
    private final Limits.Requests requests;
    private final long agentBody;

    public FullHistoryRules(Limits.Agui limits, Limits.Requests requests, long agentBody) {
        this.limits = limits;
        this.requests = requests;
        this.agentBody = agentBody;
    }

    public RunAgentInput check(JsonNode body) {
        if (body.path("messages").size() > limits.messages()) {
            throw ProblemException.invalidField("messages", "are more than the limit of " + limits.messages());
        }
        dropUnknown(body.path("messages"));
        RunAgentInput input = AguiJson.readInput(body);
        for (String member : STORED) {
            StorableInput.require(member, body.path(member));
        }
        requireId("threadId", input.threadId());
        requireId("runId", input.runId());
        for (int i = 0; i < input.messages().size(); i++) {
            requireId("messages[" + i + "].id", input.messages().get(i).id());
            if (input.messages().get(i) instanceof Message.Tool result) {
                requireName("messages[" + i + "].toolCallId", result.toolCallId());
            }
        }
        for (int i = 0; i < input.tools().size(); i++) {
            if (input.tools().get(i).name().isBlank()) {
                throw ProblemException.invalidField("tools[" + i + "].name", "must not be empty");
            }
            JsonNode schema = input.tools().get(i).parameters();
            if (schema != null && !schema.isObject()) {
                throw ProblemException.invalidField("tools[" + i + "].parameters", "must be an object");
            }
        }
        if (input.state() != null && Json.MAPPER.writeValueAsBytes(input.state()).length > limits.snapshotBytes()) {
            throw ProblemException.invalidField(
                    "state", "is larger than the limit of " + limits.snapshotBytes() + " bytes");
        }
        RunOptions.ofAgui(input.forwardedProps());
        return input;
    }

    /** Passes if the messages to be stored are valid. Messages that the thread knows, or ignores, are not checked. */
    public void requireUsable(
            RunAgentInput input, FullHistoryMerge history, List<NewMessages.Result> results, List<Message> given) {
        Map<String, Integer> indexes = new HashMap<>();
        for (int i = 0; i < input.messages().size(); i++) {
            indexes.putIfAbsent(input.messages().get(i).id(), i);
        }
        history.users()
                .forEach(user -> requireText(indexes, user, user.content().plainText()));
        results.forEach(result -> requireText(
                indexes, result.message(), result.message().content().plainText()));
        given.forEach(message -> requireText(indexes, message, ""));
    }

    /**
     * All prompts, and the newest of the other given messages that fit into the agent face's limit for a body. A client
     * resends the given messages with each run, and each run stores them again.
     */
    public List<Message> withinLimit(List<Message> given) {
        Deque<Message> newest = new ArrayDeque<>();
        long room = agentBody;
        for (Message message : given.reversed()) {
            boolean prompt = message instanceof Message.SystemPrompt || message instanceof Message.Developer;
            if (!prompt && room >= 0) {
                room -= Json.MAPPER.writeValueAsBytes(message).length;
            }
            if (prompt || room >= 0) {
                newest.addFirst(message);
            }
        }
        return List.copyOf(newest);
    }

    private void requireText(Map<String, Integer> indexes, Message message, String text) {
        String path = "messages[" + indexes.get(message.id()) + "]";
        if (message instanceof Message.User user) {
            RunInputRules.requireContent(path + ".content", user);
            Text.requireAtMost(path + ".name", orEmpty(user.name()), requests.displayName());
            Text.requireAtMost(path + ".encryptedValue", orEmpty(user.encryptedValue()), MAX_EXTRA);
        } else if (message instanceof Message.Tool result) {
            Text.requireAtMost(path + ".error", orEmpty(result.error()), MAX_EXTRA);
        }
        Text.requireAtMost(path + ".content", text, limits.text());
        StorableInput.require(path, Json.MAPPER.valueToTree(message));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private void requireId(String field, String id) {
        requireName(field, id);
        Text.requireId(field, id);
    }

    /** Checks a name that an agent gave and a client only repeats. Such a name need not have the form of an id. */
    private void requireName(String field, String name) {
        if (name.isEmpty()) {
            throw ProblemException.invalidField(field, "must not be empty");
        }
        Text.requireAtMost(field, name, requests.opaqueId());
    }

    private static void dropUnknown(JsonNode messages) {
        if (!(messages instanceof ArrayNode list)) {
            return;
        }
        for (int i = 0; i < list.size(); i++) {
            // A message with a role from a later version also needs an id. The id of a message with a known role is
            // checked when the message is read.
            if (isUnknown(list.get(i).path("role"), ROLES)
                    && !list.get(i).path("id").isString()) {
                throw ProblemException.invalidField("messages[" + i + "].id", "is required and must be a string");
            }
        }
        list.removeIf(message -> isUnknown(message.path("role"), ROLES));
        for (JsonNode message : list) {
            if (message instanceof ObjectNode object && object.get("content") instanceof ArrayNode parts) {
                parts.removeIf(part -> isUnknown(part.path("type"), PARTS)
                        || isUnknown(part.path("source").path("type"), SOURCES));
            }
        }
    }

    private static boolean isUnknown(JsonNode name, Set<String> known) {
        return name.isString() && !known.contains(name.stringValue());
    }
}
