package dev.parley.ingest;

import dev.parley.auth.LinkCode;
import dev.parley.basics.Text;
import dev.parley.delivery.ReplyTarget;
import dev.parley.limits.Limits;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.Metadata;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * An inbound message after the checks that need no database.
 *
 * @param dispatch the requested target of answers besides the channel; null for none
 * @param verified true for a platform's event, which must not be refused, because it would be lost
 * @param stored the metadata to store, without files
 */
record ParsedInbound(
        InboundMessage given,
        MessageMetadata metadata,
        @Nullable ThreadId session,
        InboundKeys keys,
        boolean passive,
        @Nullable ReplyTarget dispatch,
        boolean verified,
        ObjectNode stored) {

    static ParsedInbound read(InboundMessage given, Limits.Ingest limits, Limits.Requests requests) {
        if (given.message().isEmpty() && given.files().isEmpty() && given.fileMetadata() == null) {
            throw ProblemException.invalidField("message", "must not be empty unless there are files");
        }
        Text.requireAtMost("message", given.message(), limits.text());
        return readAny(given, false, limits, requests);
    }

    /**
     * Reads a platform's message. The message may be empty, because its files may be unavailable. A message from the
     * account that sends the server's answers counts as written by a program and is not answered, unless the account's
     * owner typed it. The server's own answers are recognised later.
     */
    static ParsedInbound read(PlatformEvent.Posted posted, Limits.Ingest limits, Limits.Requests requests) {
        InboundMessage given = InboundSanitizer.of(posted.message(), requests);
        ParsedInbound inbound = readAny(given, true, limits, requests);
        return posted.echo().fromSelf() && !inbound.metadata().isFromMe()
                ? readAny(byProgram(given), true, limits, requests)
                : inbound;
    }

    private static InboundMessage byProgram(InboundMessage given) {
        return new InboundMessage(
                given.message(),
                given.botId(),
                given.clientId(),
                given.sessionId(),
                given.metadata().deepCopy().put("sender_type", "bot"),
                given.files(),
                given.fileMetadata(),
                given.dispatchType(),
                given.dispatchConfig(),
                true,
                given.extras());
    }

    private static ParsedInbound readAny(
            InboundMessage given, boolean verified, Limits.Ingest limits, Limits.Requests requests) {
        MessageMetadata metadata = MessageMetadata.read(given.metadata(), limits, requests.displayName());
        Text.requireStorable("message", given.message());
        requireId("client_id", given.clientId(), limits);
        requireId("bot_id", given.botId(), limits);
        requireId("dispatch_type", given.dispatchType(), limits);
        ObjectNode config = given.dispatchConfig();
        if (config != null) {
            DispatchConfig.require(config, requests.metadataBytes());
        }
        ThreadId session = session(given.sessionId());
        String channel = metadata.id("channel_external_id");
        Channel where = Channel.of(
                metadata.source(),
                metadata.id("workspace_id"),
                channel == null ? given.clientId() : channel,
                session,
                metadata.id("external_thread_id"),
                metadata.sender().actor());
        boolean passive = given.passive() || metadata.passive();
        return new ParsedInbound(
                given,
                metadata,
                session,
                new InboundKeys(where, metadata.id("external_message_id"), metadata.id("external_event_id")),
                passive,
                Dispatch.targetIn(given, where, limits).orElse(null),
                verified,
                stored(given, passive, requests.metadataBytes()));
    }

    /** The thread of an id; an invalid id counts as an unknown thread. */
    private static @Nullable ThreadId session(@Nullable String id) {
        return id == null
                ? null
                : ThreadId.parse(id)
                        .orElseThrow(() -> new ProblemException(Problem.THREAD_NOT_FOUND, "There is no such thread."));
    }

    private static void requireId(String field, @Nullable String id, Limits.Ingest limits) {
        if (id != null) {
            Text.requireId(field, id);
            if (id.isEmpty() || id.getBytes(StandardCharsets.UTF_8).length > limits.externalId()) {
                throw ProblemException.invalidField(field, "must have 1 to " + limits.externalId() + " bytes");
            }
        }
    }

    /** The metadata to store; fields of {@code msg_metadata} take precedence over other fields with the same name. */
    private static ObjectNode stored(InboundMessage given, boolean passive, long limitBytes) {
        requireSize("msg_metadata", given.metadata(), limitBytes);
        requireNoneOfOurs("msg_metadata.", given.metadata());
        requireNoneOfOurs("", given.extras());
        ObjectNode stored = given.metadata().deepCopy();
        given.extras().properties().forEach(extra -> stored.putIfAbsent(extra.getKey(), extra.getValue()));
        if (given.fileMetadata() != null) {
            stored.set("file_metadata", given.fileMetadata());
        }
        if (passive) {
            stored.put("passive", true);
        }
        if (given.fileMetadata() != null || !given.extras().isEmpty()) {
            String rest = given.fileMetadata() == null
                    ? given.extras().propertyNames().iterator().next()
                    : "file_metadata";
            requireSize(rest, stored, limitBytes);
            Metadata.requireStorable(rest, stored);
        }
        return stored;
    }

    private static void requireNoneOfOurs(String prefix, ObjectNode given) {
        Metadata.ofServerAlone(given).ifPresent(key -> {
            throw ProblemException.invalidField(prefix + key, "is set by the server and cannot be sent");
        });
    }

    private static void requireSize(String field, ObjectNode object, long limitBytes) {
        if (Json.MAPPER.writeValueAsBytes(object).length > limitBytes) {
            throw ProblemException.invalidField(
                    field, "makes the metadata of the message larger than the limit of " + limitBytes + " bytes");
        }
    }

    /** The code by which a person links an identity, if the message consists of a code alone. */
    Optional<LinkCode> linkCode() {
        return sender().bot() ? Optional.empty() : LinkCode.in(given.message());
    }

    /** The message as a passive message, which no agent answers. */
    ParsedInbound unanswered() {
        stored.put("passive", true);
        return new ParsedInbound(given, metadata, session, keys, true, dispatch, verified, stored);
    }

    Sender sender() {
        return metadata.sender();
    }

    /**
     * True if the message addresses an agent. Integrations send {@code bot_id} with every message; it addresses the
     * agent only if a person writes, because a bot would talk with the agent for ever.
     */
    boolean addresses() {
        return metadata.mentionsSelf()
                || Addressee.isAgent(metadata.id("recipient_id"))
                || given.botId() != null && !sender().bot();
    }
}
