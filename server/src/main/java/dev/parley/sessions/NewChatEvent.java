package dev.parley.sessions;

import dev.parley.log.Digest;
import dev.parley.log.Fingerprint;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A message that a client posts to a session.
 *
 * @param json the message as its client wrote it
 * @param message the same message, parsed
 * @param fingerprint the fingerprint by which a repeated message with the same id is recognised
 * @param saidAt the message's time, if it is imported from elsewhere
 */
public record NewChatEvent(
        byte[] json,
        ObjectNode message,
        Digest fingerprint,
        Wrapper wrapper,
        @Nullable Instant saidAt) {
    public static NewChatEvent of(byte[] json, ObjectNode message, Wrapper wrapper, @Nullable Instant saidAt) {
        return new NewChatEvent(json, message, fingerprint(message), wrapper, saidAt);
    }

    /** The fields that a client gives beside the message. */
    public record Wrapper(
            @Nullable String agentId,
            @Nullable String agentName,
            @Nullable String teamName,
            @Nullable String userId,
            @Nullable String runId,
            @Nullable String parentRunId,
            @Nullable String model,
            @Nullable String modelProvider) {
        SessionAgents.AgentNames named() {
            return new SessionAgents.AgentNames(agentId, agentName, teamName);
        }
    }

    public String messageId() {
        return message.path("id").asString();
    }

    /** The role in its client's words. */
    String role() {
        return message.path("role").asString();
    }

    /** The fingerprint of a message, without the field that tells if it was read from history. */
    static Digest fingerprint(ObjectNode message) {
        ObjectNode body = message.deepCopy();
        body.remove("from_history");
        return Fingerprint.of("", List.of(), body, null);
    }
}
