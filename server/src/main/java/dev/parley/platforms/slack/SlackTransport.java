package dev.parley.platforms.slack;

import dev.parley.delivery.ChatTransport;
import dev.parley.delivery.Parcel;
import dev.parley.delivery.ReplyTarget;
import dev.parley.protocol.Json;
import java.time.Clock;
import java.time.Duration;
import java.util.function.ToIntFunction;
import tools.jackson.databind.node.ObjectNode;

/**
 * Posts to Slack (<a href="https://docs.slack.dev/reference/methods/chat.postMessage">Slack: chat.postMessage</a>).
 * Slack has no idempotency key, so each part carries its marker in the message's metadata, by which {@link
 * SlackHistory} finds it.
 */
final class SlackTransport implements ChatTransport {
    /** Below 4,000 characters, beyond which Slack advises several messages and refuses edits. */
    private static final int MAX_PART_LENGTH = 3_900;

    private static final Duration POST_TIMEOUT = Duration.ofSeconds(15);
    private static final Duration STATUS_TIMEOUT = Duration.ofSeconds(3);

    private final SlackApi api;
    private final SlackHistory history;

    SlackTransport(SlackApi api, Clock clock) {
        this.api = api;
        this.history = new SlackHistory(api, clock);
    }

    @Override
    public String source() {
        return SlackPlatform.SOURCE;
    }

    @Override
    public int largestPart() {
        return MAX_PART_LENGTH;
    }

    /** The size of the encoded text, in which an ampersand has five characters. */
    @Override
    public ToIntFunction<String> size() {
        return text -> SlackText.encode(text).length();
    }

    @Override
    public SendResult send(Parcel parcel) throws InterruptedException {
        return result(api.perform("chat.postMessage", message(parcel), POST_TIMEOUT));
    }

    @Override
    public SendResult revise(Parcel parcel, String externalId) throws InterruptedException {
        ObjectNode message = message(parcel).put("ts", externalId);
        message.remove("thread_ts");
        if (!parcel.text().isEmpty()) {
            return result(api.perform("chat.update", message, POST_TIMEOUT));
        }
        SlackReply reply = api.perform(
                "chat.delete",
                Json.MAPPER
                        .createObjectNode()
                        .put("channel", parcel.target().channel())
                        .put("ts", externalId),
                POST_TIMEOUT);
        boolean deleted = reply instanceof SlackReply.Done
                || reply instanceof SlackReply.Failed(String error) && error.equals("message_not_found");
        return deleted ? new SendResult.Delivered(externalId) : result(reply);
    }

    private static ObjectNode message(Parcel parcel) {
        ReplyTarget target = parcel.target();
        ObjectNode message = Json.MAPPER
                .createObjectNode()
                .put("channel", target.channel())
                .put("text", SlackText.encode(parcel.text()))
                .put("parse", "none")
                .put("link_names", false)
                .put("unfurl_links", false)
                .put("unfurl_media", false);
        if (!target.thread().isEmpty()) {
            message.put("thread_ts", target.thread());
        }
        message.putObject("metadata")
                .put("event_type", SlackMessages.MARKER_TYPE)
                .putObject("event_payload")
                .put("marker", parcel.marker());
        return message;
    }

    private static SendResult result(SlackReply reply) {
        return switch (reply) {
            case SlackReply.Done(ObjectNode body) -> {
                String ts = SlackJson.text(body, "ts");
                yield ts.isEmpty()
                        ? new SendResult.Unknown("Slack did not return the message's ts.")
                        : new SendResult.Delivered(ts);
            }
            case SlackReply.Limited(Duration after) ->
                new SendResult.NotNow("Slack's rate limit for posting is reached.", after);
            case SlackReply.Lost(String reason, boolean maybeDone) ->
                maybeDone ? new SendResult.Unknown(reason) : new SendResult.NotNow(reason, null);
            case SlackReply.Failed(String error) ->
                switch (SlackError.of(error)) {
                    case TEMPORARY, CONFIGURATION -> new SendResult.NotNow(SlackError.sentence(error), null);
                    case SERVER -> new SendResult.Unknown(SlackError.sentence(error));
                    case PERMANENT -> new SendResult.Refused(SlackError.sentence(error));
                };
        };
    }

    @Override
    public Lookup lookUp(Parcel parcel) throws InterruptedException {
        return history.find(parcel);
    }

    /** Shows the typing status, which Slack supports in the threads of assistants only. */
    @Override
    public void showTyping(ReplyTarget target) throws InterruptedException {
        if (!target.thread().isEmpty()) {
            api.perform(
                    "assistant.threads.setStatus",
                    Json.MAPPER
                            .createObjectNode()
                            .put("channel_id", target.channel())
                            .put("thread_ts", target.thread())
                            .put("status", "is thinking…"),
                    STATUS_TIMEOUT);
        }
    }
}
