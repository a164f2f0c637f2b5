package dev.parley.agents.remote;

import dev.parley.basics.Sha256;
import dev.parley.basics.Text;
import dev.parley.protocol.Json;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.ToolCall;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Maps the ids in the events of one remote run to ids that are unique in the thread. Some servers count msg-1, msg-2
 * from the start in every run, and a client that has msg-1 would append to that message. Therefore an id that the
 * conversation used before the run is replaced by a fresh id, which stays the same throughout the run. An id that
 * cannot be stored is replaced by its digest, which is the same in every run.
 */
final class RemoteIds {
    /** The field of an interrupt's metadata that contains the agent's own id. */
    private static final String ORIGINAL = "remote_id";

    static final int MAX_LENGTH = 128;

    private final Predicate<String> isTaken;
    private final Supplier<String> fresh;
    private final Set<String> knownMessages = new HashSet<>();
    private final Set<String> knownCalls = new HashSet<>();
    private final Set<String> answeredCalls = new HashSet<>();
    private final Map<String, String> messages = new HashMap<>();
    private final Map<String, String> calls = new HashMap<>();
    private final Map<String, String> thoughts = new HashMap<>();
    private final Map<String, String> results = new HashMap<>();
    private final Map<String, String> activities = new HashMap<>();

    /**
     * @param sent the messages that were sent to the agent
     * @param isTaken true for the id of any message in the thread, even if the message was not sent to the agent
     */
    RemoteIds(List<Message> sent, Predicate<String> isTaken) {
        this(sent, isTaken, () -> UuidV7.next().toString());
    }

    RemoteIds(List<Message> sent, Predicate<String> isTaken, Supplier<String> fresh) {
        this.isTaken = isTaken;
        this.fresh = fresh;
        for (Message message : sent) {
            knownMessages.add(message.id());
            if (message instanceof Message.Assistant assistant) {
                assistant.toolCalls().stream().map(ToolCall::id).forEach(knownCalls::add);
            } else if (message instanceof Message.Tool result) {
                answeredCalls.add(result.toolCallId());
            }
        }
    }

    String fresh() {
        return fresh.get();
    }

    boolean wasSent(String messageId) {
        return knownMessages.contains(messageId);
    }

    boolean callWasSent(String callId) {
        return knownCalls.contains(callId);
    }

    /** True if a result of the call was sent to the agent. A further result only repeats the sent result. */
    boolean isAnswered(String callId) {
        return answeredCalls.contains(callId) && !calls.containsKey(callId);
    }

    /** The id, or a fresh one if it is empty or taken: some servers send no ids, or repeat their ids in every run. */
    private String own(String id) {
        String usable = storable(id);
        return id.isEmpty() || knownMessages.contains(usable) || isTaken.test(usable) ? fresh() : usable;
    }

    /** The id of a message of this run. */
    String message(String id) {
        return messages.computeIfAbsent(id, this::own);
    }

    /**
     * The id of a result's message. Some servers send the id of the message that made the call; then the result gets a
     * fresh id.
     */
    String result(String id) {
        return results.computeIfAbsent(id, each -> messages.containsKey(each) ? fresh() : own(each));
    }

    /** The id of an activity, which must not replace a user's message. */
    String activity(String id) {
        return activities.computeIfAbsent(id, this::own);
    }

    /** The id of a referenced message, from this run or an earlier run. */
    String messageOf(String id) {
        return messages.getOrDefault(id, storable(id));
    }

    /** The id of a call that this run makes. */
    String newCall(String id) {
        return calls.computeIfAbsent(
                id, each -> each.isEmpty() || knownCalls.contains(storable(each)) ? fresh() : storable(each));
    }

    /** The id of a referenced call, which this run made or an earlier run left open. */
    String callOf(String id) {
        return calls.getOrDefault(id, storable(id));
    }

    /** A fresh id for each reasoning. The taken ids are unknown here, because reasoning is not sent to agents. */
    String thought(String id) {
        return thoughts.computeIfAbsent(id, each -> fresh());
    }

    /** The id of the entity that an encrypted value belongs to. */
    String entity(String id) {
        return thoughts.containsKey(id) ? thought(id) : messageOf(id);
    }

    /** The id itself if it can be stored, else its digest. */
    static String storable(String id) {
        return id.length() <= MAX_LENGTH && Text.isStorable(id) ? id : digest(id);
    }

    /** Makes an interrupt's id storable. The original id is kept, because the answer to the agent must contain it. */
    static void keepOriginal(ObjectNode interrupt) {
        JsonNode id = interrupt.path("id");
        if (id.isString() && !storable(id.stringValue()).equals(id.stringValue())) {
            ObjectNode metadata =
                    interrupt.get("metadata") instanceof ObjectNode given ? given : interrupt.putObject("metadata");
            metadata.put(ORIGINAL, id.stringValue());
            interrupt.put("id", storable(id.stringValue()));
        }
    }

    /** The agent's own id of an interrupt; null if the agent uses the interrupt's id itself. */
    static @Nullable String originalOf(Interrupt interrupt) {
        ObjectNode metadata = interrupt.metadata() == null ? Json.MAPPER.createObjectNode() : interrupt.metadata();
        String original = metadata.path(ORIGINAL).asString("");
        // Agents may write any metadata, so an original is trusted only if its digest is the interrupt's id.
        return storable(original).equals(interrupt.id()) ? original : null;
    }

    private static String digest(String id) {
        return HexFormat.of().formatHex(Sha256.of(id.getBytes(StandardCharsets.UTF_16BE)));
    }
}
