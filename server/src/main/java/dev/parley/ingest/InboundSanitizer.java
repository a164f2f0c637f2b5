package dev.parley.ingest;

import dev.parley.attachments.MessageFiles;
import dev.parley.basics.Text;
import dev.parley.limits.Limits;
import dev.parley.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Makes a platform's message storable. A platform repeats a refused message, and finally stops sending. Therefore
 * unstorable characters become U+FFFD, and metadata beyond the limit is cut. The text itself is never cut.
 */
final class InboundSanitizer {
    /** The fields by which a message is recognised and answered. These fields are never cut. */
    private static final List<String> NEEDED = List.of(
            "source",
            "sender_id",
            "sender_display_name",
            "sender_type",
            "channel_external_id",
            "mention_token",
            "is_from_me",
            "passive",
            "recipient_id",
            "external_message_id",
            "external_thread_id",
            "reply_to_external_id",
            "external_event_id",
            "workspace_id",
            "conversation_kind",
            "sent_at",
            "mentions");

    /** The fields about a message's files. */
    private static final List<String> FILES =
            List.of("file_failures", "file_metadata", MessageFiles.FIRST, MessageFiles.ALL);

    /** The bytes of a context's header and of the line with the count; a smaller context contains no message. */
    private static final int MIN_CONTEXT = 200;

    /** Bytes for the fields that the server adds. */
    private static final int RESERVED = 2_048;

    private InboundSanitizer() {}

    static InboundMessage of(InboundMessage given, Limits.Requests limits) {
        ObjectNode metadata = (ObjectNode) storable(given.metadata());
        String name = metadata.path("sender_display_name").asString("");
        if (!Text.isAtMost(name, limits.displayName())) {
            metadata.put("sender_display_name", name.substring(0, name.offsetByCodePoints(0, limits.displayName())));
        }
        fit(metadata, limits.metadataBytes() - RESERVED);
        return new InboundMessage(
                Text.mended(given.message()),
                given.botId(),
                given.clientId(),
                given.sessionId(),
                metadata,
                given.files(),
                fitting(given.fileMetadata(), metadata, limits.metadataBytes()) ? given.fileMetadata() : null,
                given.dispatchType(),
                given.dispatchConfig(),
                given.passive(),
                given.extras());
    }

    /**
     * The context that fits into a message's metadata. If the room does not suffice, other fields such as copies of the
     * text are cut. The fields about files stay.
     */
    static @Nullable ThreadContext fitContext(
            ObjectNode metadata, ThreadContext.Lines lines, long maxContext, long maxMetadata) {
        long bytes = maxContext;
        ThreadContext context = ThreadContext.of(lines, bytes);
        if (context == null) {
            return null;
        }
        long maxBytes = maxMetadata - RESERVED / 2;
        if (size(metadata) + size(context) > maxBytes) {
            cut(metadata, name -> !NEEDED.contains(name) && !FILES.contains(name));
        }
        long room = maxBytes - size(metadata);
        while (context != null && size(context) > room) {
            // JSON escapes line breaks and quotation marks, so a text needs more than its bytes.
            long text = context.text().getBytes(StandardCharsets.UTF_8).length;
            bytes = Math.min(bytes, text) * Math.max(0, room) / size(context) - 1;
            context = bytes < MIN_CONTEXT ? null : ThreadContext.of(lines, bytes);
        }
        return context;
    }

    private static int size(ThreadContext context) {
        return size(StringNode.valueOf(context.text()));
    }

    private static boolean fitting(@Nullable ArrayNode files, ObjectNode metadata, long maxMetadata) {
        return files == null || size(files) + size(metadata) < maxMetadata - RESERVED;
    }

    private static JsonNode storable(JsonNode node) {
        return switch (node) {
            case StringNode text -> StringNode.valueOf(Text.mended(text.stringValue()));
            case ObjectNode object -> {
                ObjectNode copy = Json.MAPPER.createObjectNode();
                object.properties().forEach(each -> copy.set(Text.mended(each.getKey()), storable(each.getValue())));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = Json.MAPPER.createArrayNode();
                array.forEach(each -> copy.add(storable(each)));
                yield copy;
            }
            default -> node;
        };
    }

    /** Cuts fields that are not needed, and then the mentions of other users. */
    private static void fit(ObjectNode metadata, long maxBytes) {
        if (size(metadata) <= maxBytes) {
            return;
        }
        cut(metadata, name -> !NEEDED.contains(name));
        if (size(metadata) > maxBytes && metadata.path("mentions") instanceof ArrayNode mentions) {
            ArrayNode own = Json.MAPPER.createArrayNode();
            mentions.valueStream()
                    .filter(mention -> mention.path("is_self").asBoolean(false))
                    .limit(1)
                    .forEach(own::add);
            metadata.set("mentions", own);
        }
    }

    private static void cut(ObjectNode metadata, Predicate<String> extra) {
        metadata.remove(metadata.propertyNames().stream().filter(extra).toList());
        metadata.put("cut", true);
    }

    private static int size(JsonNode node) {
        return Json.MAPPER.writeValueAsBytes(node).length;
    }
}
