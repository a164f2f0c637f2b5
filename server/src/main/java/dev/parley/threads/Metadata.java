package dev.parley.threads;

import dev.parley.basics.Text;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The rules for a message's metadata. Some keys belong to the server, because readers trust them. */
public final class Metadata {
    private static final Set<String> SERVER_OWNED = Set.of(
            "run_id",
            "stage",
            "latency_ms",
            "message_id",
            "tool_name",
            "user_message_attachments",
            "source",
            "mention_token",
            "thread_context",
            "passive",
            "is_from_me",
            "legacy_prefix",
            "withdrawn",
            "superseded",
            "partial",
            "file_failures",
            "thread_history",
            RunReport.MARK);

    /** Server-owned keys that integrations fill in, or use for a value of their platform. */
    private static final Set<String> OF_INTEGRATIONS =
            Set.of("source", "mention_token", "thread_context", "passive", "is_from_me", "legacy_prefix", "message_id");

    /** The keys that runs write into their own messages. */
    private static final Set<String> OF_RUNS = Set.of("tool_calls", "tool_call_id", "tool_failed");

    /** The keys under which protocols without fields for a message's seq, sender and run show these values. */
    private static final Set<String> SHOWN_TO_CLIENTS = Set.of("seq", "senderId", "runId");

    /**
     * The maximum depth of metadata. Readers get metadata inside the JSON of pages and frames, and JSON parsers limit
     * the depth of the whole text.
     */
    private static final int MAX_DEPTH = 32;

    private Metadata() {}

    /**
     * The metadata to store: the caller's checked metadata, and the run of the message.
     *
     * @param ownRun true if the run is the speaker's own, so that the speaker may report on the run
     */
    static @Nullable String toStore(
            @Nullable ObjectNode metadata, @Nullable String runId, boolean ownRun, long limitBytes) {
        String allowed = metadata == null ? null : requireAllowed(metadata, ownRun, limitBytes);
        if (runId == null) {
            return allowed;
        }
        ObjectNode stored = metadata == null ? Json.MAPPER.createObjectNode() : metadata.deepCopy();
        RunReport.mark(stored);
        return Json.MAPPER.writeValueAsString(stored.put(RunReport.RUN_ID, runId));
    }

    /**
     * The first key that only the server may set. Integrations may set more keys than other callers, but not the keys
     * that this method finds.
     */
    public static Optional<String> ofServerAlone(ObjectNode metadata) {
        return metadata.propertyNames().stream()
                .filter(key -> isServerOwned(key) && !OF_INTEGRATIONS.contains(key) && !key.startsWith("sender_")
                        || OF_RUNS.contains(key))
                .findFirst();
    }

    /** The metadata as text; refuses keys that the caller may not set, and values that cannot be stored. */
    private static String requireAllowed(ObjectNode metadata, boolean ownRun, long limitBytes) {
        for (String name : metadata.propertyNames()) {
            if (isServerOwned(name) && !(ownRun && RunReport.isMember(name))) {
                throw ProblemException.invalidField(
                        "metadata." + name,
                        RunReport.isMember(name)
                                ? "is set by the server; only an agent's own token may give it, in agent-messages"
                                        + " with the run_id of its own run"
                                : "is set by the server and cannot be sent");
            }
        }
        String text = Json.MAPPER.writeValueAsString(metadata);
        if (text.length() > limitBytes || text.getBytes(StandardCharsets.UTF_8).length > limitBytes) {
            throw ProblemException.invalidField("metadata", "is larger than the limit of " + limitBytes + " bytes");
        }
        requireStorable("metadata", metadata);
        return text;
    }

    /**
     * The metadata that an agent's events may give to their message: all keys except the server's own, but including
     * keys that end in {@code _agent_output}.
     */
    public static Map<String, JsonNode> ofAgent(@Nullable ObjectNode metadata) {
        Map<String, JsonNode> allowed = new LinkedHashMap<>();
        if (metadata != null) {
            metadata.properties().forEach(member -> {
                if (!isServerOwned(member.getKey()) || member.getKey().endsWith("_agent_output")) {
                    allowed.put(member.getKey(), member.getValue());
                }
            });
        }
        return allowed;
    }

    /**
     * The metadata of a message that a client may have read from the server before: the server's own keys are left out.
     */
    public static Map<String, JsonNode> ofClient(@Nullable ObjectNode metadata) {
        Map<String, JsonNode> allowed = ofAgent(metadata);
        allowed.keySet().removeIf(Metadata::isServerOwned);
        allowed.keySet().removeAll(SHOWN_TO_CLIENTS);
        return allowed;
    }

    private static int depth(JsonNode node) {
        int deepest = 0;
        for (JsonNode child : node) {
            deepest = Math.max(deepest, depth(child));
        }
        return node.isContainer() ? deepest + 1 : 0;
    }

    private static boolean isServerOwned(String key) {
        return SERVER_OWNED.contains(key) || key.startsWith("sender_") || key.endsWith("_agent_output");
    }

    /** Refuses metadata that cannot be stored or that readers could not parse. */
    public static void requireStorable(String field, ObjectNode metadata) {
        requireCharacters(field, metadata);
        if (depth(metadata) > MAX_DEPTH) {
            throw ProblemException.invalidField(field, "is nested deeper than " + MAX_DEPTH + " levels");
        }
    }

    private static void requireCharacters(String field, JsonNode node) {
        if (node.isString()) {
            Text.requireStorable(field, node.asString());
        } else if (node.isObject()) {
            for (Map.Entry<String, JsonNode> member : node.properties()) {
                Text.requireStorable(field, member.getKey());
                requireCharacters(field, member.getValue());
            }
        } else {
            node.forEach(each -> requireCharacters(field, each));
        }
    }
}
