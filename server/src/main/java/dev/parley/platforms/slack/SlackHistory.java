package dev.parley.platforms.slack;

import dev.parley.delivery.ChatTransport.Lookup;
import dev.parley.delivery.Parcel;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds parts in Slack's history by their markers
 * (<a href="https://docs.slack.dev/reference/methods/conversations.history">Slack: conversations.history</a>). A part
 * counts as absent only some time after the last attempt, since Slack may still be processing a request without an
 * answer.
 */
final class SlackHistory {
    /** Tolerated difference between Slack's clock and the server's. */
    private static final Duration CLOCK_SKEW = Duration.ofSeconds(60);

    private static final Duration SETTLE_TIME = Duration.ofSeconds(10);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(15);
    private static final int PAGE = 200;
    private static final int MAX_PAGES = 20;

    /** Errors that deny the bot access to the history for good. */
    private static final Set<String> NO_ACCESS = Set.of(
            "missing_scope",
            "no_permission",
            "not_in_channel",
            "channel_not_found",
            "thread_not_found",
            "not_allowed_token_type",
            "method_not_supported_for_channel_type");

    private final SlackApi api;
    private final Clock clock;

    SlackHistory(SlackApi api, Clock clock) {
        this.api = api;
        this.clock = clock;
    }

    Lookup find(Parcel parcel) throws InterruptedException {
        // The time is taken before the search, because a part that is posted meanwhile must not count as absent.
        Instant startedAt = clock.instant();
        String cursor = "";
        for (int page = 0; page < MAX_PAGES; page++) {
            switch (page(parcel, cursor)) {
                case SlackReply.Done(ObjectNode body) -> {
                    for (JsonNode message : body.path("messages")) {
                        if (parcel.marker().equals(SlackMessages.marker(message))) {
                            return new Lookup.There(SlackJson.text(message, "ts"));
                        }
                    }
                    cursor = SlackJson.text(body.path("response_metadata"), "next_cursor");
                    if (cursor.isEmpty()) {
                        return notFound(parcel, startedAt);
                    }
                }
                case SlackReply.Failed(String error) -> {
                    String reason = SlackError.sentence(error);
                    return NO_ACCESS.contains(error) ? new Lookup.Unknowable(reason) : new Lookup.NotYet(reason);
                }
                case SlackReply.Limited limited -> {
                    return new Lookup.NotYet("Slack's rate limit for reading is reached.");
                }
                case SlackReply.Lost(String reason, boolean maybeDone) -> {
                    return new Lookup.NotYet(reason);
                }
            }
        }
        return new Lookup.Unknowable("Too many messages were posted since the part was sent.");
    }

    private Lookup notFound(Parcel parcel, Instant startedAt) {
        return startedAt.isBefore(parcel.triedAt().plus(SETTLE_TIME))
                ? new Lookup.NotYet("Slack does not show the part yet.")
                : new Lookup.Absent();
    }

    private SlackReply page(Parcel parcel, String cursor) throws InterruptedException {
        Map<String, String> arguments = new TreeMap<>();
        arguments.put("channel", parcel.target().channel());
        arguments.put("oldest", parcel.begunAt().minus(CLOCK_SKEW).getEpochSecond() + ".000000");
        arguments.put("include_all_metadata", "true");
        arguments.put("limit", Integer.toString(PAGE));
        if (!cursor.isEmpty()) {
            arguments.put("cursor", cursor);
        }
        String thread = parcel.target().thread();
        if (thread.isEmpty()) {
            return api.query("conversations.history", arguments, CALL_TIMEOUT);
        }
        arguments.put("ts", thread);
        return api.query("conversations.replies", arguments, CALL_TIMEOUT);
    }
}
