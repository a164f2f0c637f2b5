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
 * The ids of one run. Some servers count msg-1, msg-2 from the start in every run; a client that holds msg-1 would append
 * to it. So an id that was in the conversation before is replaced by a fresh one, always the same within the run. Ids
 * that cannot be stored are replaced by their digest, which is the same in every run.
 */
final class RemoteIds {
    /** Where an interrupt keeps the id that its agent knows. */
    private static final String ORIGINAL = "remote_id";

    static final int MAX_LENGTH = 128;

    private final Predicate<String> taken;
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
     * @param sent the conversation that the agent was given
     * @param taken whether the thread has a message of an id, given to the agent or not
     */
    RemoteIds(List<Message> sent, Predicate<String> taken) {
        this(sent, taken, () -> UuidV7.next().toString());
    }

    RemoteIds(List<Message> sent, Predicate<String> taken, Supplier<String> fresh) {
        this.taken = taken;
        this.fresh = fresh;
        for (Message message : sent) {
            knownMessages.add(message.id());
            if (message instanceof Message.Assistant said) {
                said.toolCalls().stream().map(ToolCall::id).forEach(knownCalls::add);
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

    /** Whether a result restates one that the agent was given. */
    boolean isAnswered(String callId) {
        return answeredCalls.contains(callId) && !calls.containsKey(callId);
    }

    /** An id that is this message's alone: some servers have none, or begin anew in every run. */
    private String own(String id) {
        String usable = storable(id);
        return id.isEmpty() || knownMessages.contains(usable) || taken.test(usable) ? fresh() : usable;
    }

    /** A message of this run. */
    String message(String id) {
        return messages.computeIfAbsent(id, this::own);
    }

    /** A result's message; some servers give it the id of the message that made the call. */
    String result(String id) {
        return results.computeIfAbsent(id, each -> messages.containsKey(each) ? fresh() : own(each));
    }

    /** An activity: what a user said must not be replaced by it. */
    String activity(String id) {
        return activities.computeIfAbsent(id, this::own);
    }

    /** A message that something refers to, of this run or an earlier one. */
    String messageOf(String id) {
        return messages.getOrDefault(id, storable(id));
    }

    /** A call that this run makes. */
    String newCall(String id) {
        return calls.computeIfAbsent(
                id, each -> each.isEmpty() || knownCalls.contains(storable(each)) ? fresh() : storable(each));
    }

    /** A call that something refers to: of this run, or left open by an earlier one. */
    String callOf(String id) {
        return calls.getOrDefault(id, storable(id));
    }

    /** Thoughts are not in the conversation that agents are given, so nobody can tell which ids are taken. */
    String thought(String id) {
        return thoughts.computeIfAbsent(id, each -> fresh());
    }

    /** What an encrypted value belongs to. */
    String entity(String id) {
        return thoughts.containsKey(id) ? thought(id) : messageOf(id);
    }

    /** An id that stays as it is wherever it can. */
    static String storable(String id) {
        return id.length() <= MAX_LENGTH && Text.isStorable(id) ? id : digest(id);
    }

    /** Makes an interrupt's id storable; the agent must be answered by its own. */
    static void keepOriginal(ObjectNode interrupt) {
        JsonNode id = interrupt.path("id");
        if (id.isString() && !storable(id.stringValue()).equals(id.stringValue())) {
            ObjectNode metadata =
                    interrupt.get("metadata") instanceof ObjectNode given ? given : interrupt.putObject("metadata");
            metadata.put(ORIGINAL, id.stringValue());
            interrupt.put("id", storable(id.stringValue()));
        }
    }

    /** The id by which its agent knows an interrupt, if it is another one. */
    static @Nullable String originalOf(Interrupt interrupt) {
        ObjectNode metadata = interrupt.metadata() == null ? Json.MAPPER.createObjectNode() : interrupt.metadata();
        String original = metadata.path(ORIGINAL).asString("");
        // Only if it is really what the id was made of: metadata is anybody's.
        return storable(original).equals(interrupt.id()) ? original : null;
    }

    private static String digest(String id) {
        return HexFormat.of().formatHex(Sha256.of(id.getBytes(StandardCharsets.UTF_16BE)));
    }
}
