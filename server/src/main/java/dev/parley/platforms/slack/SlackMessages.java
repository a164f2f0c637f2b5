package dev.parley.platforms.slack;

import dev.parley.ingest.InboundMessage;
import dev.parley.ingest.PlatformEvent;
import dev.parley.protocol.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Maps Slack's messages. A message and its app_mention twin map to the same message with two event ids. */
final class SlackMessages {
    static final String MARKER_TYPE = "parley_part";

    private static final Pattern TS = Pattern.compile("([0-9]{1,12})\\.([0-9]{6})");
    private static final int MAX_MENTIONS = 40;
    private static final int MAX_DISPLAY = 40;
    /** Limit of the metadata, well below the limit beyond which a message is not stored. */
    private static final int MAX_METADATA_BYTES = 12 * 1024;
    /** The fields that may contain a message's content instead of a text. */
    private static final List<String> PARTS = List.of("blocks", "attachments");

    private final SlackAccount account;
    private final SlackNames names;
    private final SlackFiles files;
    private final SlackThreads threads;

    SlackMessages(SlackAccount account, SlackNames names, SlackFiles files, SlackThreads threads) {
        this.account = account;
        this.names = names;
        this.files = files;
        this.threads = threads;
    }

    PlatformEvent read(SlackEnvelope envelope) {
        JsonNode event = envelope.event();
        String channel = SlackEnvelope.require(event, "event.", "channel");
        String ts = SlackEnvelope.require(event, "event.", "ts");
        String wire = SlackBlocks.text(event);
        SlackFiles.MessageFiles messageFiles = files.read(event);
        boolean empty = wire.isEmpty() && messageFiles.remote().isEmpty() && messageFiles.described() == null;
        if (empty && PARTS.stream().allMatch(name -> SlackBlocks.parts(event, name) == null)) {
            return new PlatformEvent.Ignored("empty");
        }
        ObjectNode metadata = Json.MAPPER
                .createObjectNode()
                .put("source", SlackPlatform.SOURCE)
                .put("workspace_id", envelope.team())
                .put("channel_external_id", channel)
                .put("external_message_id", ts);
        SlackSender.of(event, names::of).describe(metadata);
        String kind = kind(event, channel);
        metadata.put("conversation_kind", kind);
        if (envelope.eventId() != null) {
            metadata.put("external_event_id", envelope.eventId());
        }
        Optional<String> root = thread(event, ts);
        root.ifPresent(thread -> metadata.put("external_thread_id", thread));
        sentAt(ts).ifPresent(at -> metadata.put("sent_at", at.toString()));
        boolean own = account.isOwnMessage(envelope, event);
        boolean mention = SlackJson.text(event, "type").equals("app_mention");
        boolean addressed = mention || kind.equals("dm");
        ArrayNode mentions = mentions(envelope, wire, addressed && !own);
        if (!mentions.isEmpty()) {
            metadata.set("mentions", mentions);
        }
        String text = SlackText.decode(wire);
        if (!text.equals(wire)) {
            putIfItFits(metadata, "slack_text", StringNode.valueOf(wire));
        }
        for (String name : PARTS) {
            JsonNode parts = SlackBlocks.parts(event, name);
            if (parts != null) {
                putIfItFits(metadata, "slack_" + name, parts);
            }
        }
        // Without text and files a message cannot be answered.
        InboundMessage message = InboundMessage.ofPlatform(text, metadata, messageFiles.described(), empty);
        return new PlatformEvent.Posted(
                message,
                messageFiles.remote(),
                own ? new PlatformEvent.Echo(marker(event), true, false) : PlatformEvent.Echo.NONE,
                // A message event shows that Slack sends every message of the channel. A mention event does not show
                // this, because Slack may send mentions only.
                root.map(thread -> threads.before(channel, thread, ts, !mention)).stream()
                        .toList());
    }

    private static void putIfItFits(ObjectNode metadata, String name, JsonNode value) {
        metadata.set(name, value);
        if (Json.MAPPER.writeValueAsBytes(metadata).length > MAX_METADATA_BYTES) {
            metadata.remove(name);
        }
    }

    /** The thread of a reply; empty for the root of a thread, which belongs to the channel. */
    private static Optional<String> thread(JsonNode event, String ts) {
        String thread = SlackJson.text(event, "thread_ts");
        return thread.isEmpty() || thread.equals(ts) ? Optional.empty() : Optional.of(thread);
    }

    /** The time of a message, which is its id at Slack. */
    static Optional<Instant> sentAt(String ts) {
        Matcher time = TS.matcher(ts);
        return time.matches()
                ? Optional.of(
                        Instant.ofEpochSecond(Long.parseLong(time.group(1)), Long.parseLong(time.group(2)) * 1_000))
                : Optional.empty();
    }

    /** The kind of a channel. Mention events lack the kind; then the first letter of the channel's id decides. */
    private static String kind(JsonNode event, String channel) {
        return switch (SlackJson.text(event, "channel_type")) {
            case "im", "app_home" -> "dm";
            case "mpim", "group" -> "group";
            case "channel" -> "channel";
            default -> channel.startsWith("D") ? "dm" : channel.startsWith("G") ? "group" : "channel";
        };
    }

    /** @param addressed true if the message is for the bot: an app_mention, or a direct message */
    private ArrayNode mentions(SlackEnvelope envelope, String wire, boolean addressed) {
        ArrayNode mentions = Json.MAPPER.createArrayNode();
        List<String> ids = SlackText.mentioned(wire);
        if (ids.isEmpty() && !addressed) {
            return mentions;
        }
        Optional<String> self = account.user(envelope);
        for (String id : ids.subList(0, Math.min(ids.size(), MAX_MENTIONS))) {
            ObjectNode mention = mentions.addObject().put("external_id", id).put("token", "<@" + id + ">");
            names.known(id).ifPresent(name -> mention.put("display", SlackJson.start(name, MAX_DISPLAY)));
            mention.put("is_self", self.filter(id::equals).isPresent());
        }
        if (addressed && mentions.valueStream().noneMatch(each -> SlackJson.isTrue(each, "is_self"))) {
            mentions.addObject()
                    .put("external_id", self.orElse(SlackJson.first(envelope.app(), "self")))
                    .put("is_self", true)
                    .put("implied", true);
        }
        return mentions;
    }

    static @Nullable String marker(JsonNode message) {
        JsonNode metadata = message.path("metadata");
        String marker = SlackJson.text(metadata.path("event_payload"), "marker");
        return SlackJson.text(metadata, "event_type").equals(MARKER_TYPE) && !marker.isEmpty() ? marker : null;
    }
}
