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

/** Maps something said at Slack. A message and its app_mention twin map to the same message, told of by two events. */
final class SlackMessages {
    static final String MARKER_TYPE = "parley_part";

    private static final Pattern TS = Pattern.compile("([0-9]{1,12})\\.([0-9]{6})");
    private static final int MAX_MENTIONS = 40;
    private static final int MAX_DISPLAY = 40;
    /** Well below what a message may have: what does not fit would not be stored at all. */
    private static final int MAX_METADATA_BYTES = 12 * 1024;
    /** What a message may consist of instead of a text. */
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
        SlackFiles.MessageFiles found = files.read(event);
        boolean silent = wire.isEmpty() && found.fetched().isEmpty() && found.named() == null;
        if (silent && PARTS.stream().allMatch(name -> SlackBlocks.parts(event, name) == null)) {
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
        boolean own = account.said(envelope, event);
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
        // Nobody can answer what has no words and no files.
        InboundMessage message = InboundMessage.ofPlatform(text, metadata, found.named(), silent);
        return new PlatformEvent.Posted(
                message,
                found.fetched(),
                own ? new PlatformEvent.Echo(marker(event), true, false) : PlatformEvent.Echo.NONE,
                // Who gets the event of a message gets those of all messages; mentions may come alone.
                root.map(thread -> threads.before(channel, thread, ts, !mention)).stream()
                        .toList());
    }

    private static void putIfItFits(ObjectNode metadata, String name, JsonNode value) {
        metadata.set(name, value);
        if (Json.MAPPER.writeValueAsBytes(metadata).length > MAX_METADATA_BYTES) {
            metadata.remove(name);
        }
    }

    /** The thread that it was said in. What starts a thread was said in the channel. */
    private static Optional<String> thread(JsonNode event, String ts) {
        String thread = SlackJson.text(event, "thread_ts");
        return thread.isEmpty() || thread.equals(ts) ? Optional.empty() : Optional.of(thread);
    }

    /** Slack's ids of messages are times. */
    static Optional<Instant> sentAt(String ts) {
        Matcher time = TS.matcher(ts);
        return time.matches()
                ? Optional.of(
                        Instant.ofEpochSecond(Long.parseLong(time.group(1)), Long.parseLong(time.group(2)) * 1_000))
                : Optional.empty();
    }

    /** A mention's event does not say what kind of channel it is in; the first letter of the id tells most. */
    private static String kind(JsonNode event, String channel) {
        return switch (SlackJson.text(event, "channel_type")) {
            case "im", "app_home" -> "dm";
            case "mpim", "group" -> "group";
            case "channel" -> "channel";
            default -> channel.startsWith("D") ? "dm" : channel.startsWith("G") ? "group" : "channel";
        };
    }

    /** @param addressed whether we are meant, mentioned or not: by an app_mention, or in a conversation with us alone */
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
