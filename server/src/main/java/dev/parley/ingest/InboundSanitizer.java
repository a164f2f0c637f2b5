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
 * Makes what a platform brings such that it can be stored. A platform that is refused brings the same again, and in the end
 * no more: so characters that cannot be stored become U+FFFD, and what stands beside a text gives way where there is too
 * much of it. The text itself is only ever mended, never cut.
 */
final class InboundSanitizer {
    /** What a message is known and answered by: kept whatever happens. */
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

    /** The members that tell of a message's files. */
    private static final List<String> FILES =
            List.of("file_failures", "file_metadata", MessageFiles.FIRST, MessageFiles.ALL);

    /** Less than this says nothing: header, and a line that counts. */
    private static final int MIN_CONTEXT = 200;

    /** Room for what the server adds. */
    private static final int RESERVED = 2_048;

    private InboundSanitizer() {}

    static InboundMessage of(InboundMessage given, Limits.Requests limits) {
        ObjectNode metadata = (ObjectNode) mended(given.metadata());
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
     * The context for the room that is left beside a message. Copies of the text give way to it; the files that came with
     * the message, and those that did not come, stay.
     */
    static @Nullable ThreadContext fitContext(
            ObjectNode metadata, ThreadContext.Lines lines, long maxContext, long maxMetadata) {
        long bytes = maxContext;
        ThreadContext context = ThreadContext.of(lines, bytes);
        if (context == null) {
            return null;
        }
        long most = maxMetadata - RESERVED / 2;
        if (size(metadata) + size(context) > most) {
            cut(metadata, name -> !NEEDED.contains(name) && !FILES.contains(name));
        }
        long room = most - size(metadata);
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

    private static JsonNode mended(JsonNode node) {
        return switch (node) {
            case StringNode text -> StringNode.valueOf(Text.mended(text.stringValue()));
            case ObjectNode object -> {
                ObjectNode copy = Json.MAPPER.createObjectNode();
                object.properties().forEach(each -> copy.set(Text.mended(each.getKey()), mended(each.getValue())));
                yield copy;
            }
            case ArrayNode array -> {
                ArrayNode copy = Json.MAPPER.createArrayNode();
                array.forEach(each -> copy.add(mended(each)));
                yield copy;
            }
            default -> node;
        };
    }

    /** First what was only kept along with it goes, then whoever else was mentioned. */
    private static void fit(ObjectNode metadata, long most) {
        if (size(metadata) <= most) {
            return;
        }
        cut(metadata, name -> !NEEDED.contains(name));
        if (size(metadata) > most && metadata.path("mentions") instanceof ArrayNode mentions) {
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
