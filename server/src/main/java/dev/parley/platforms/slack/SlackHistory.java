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
 * Finds parts in Slack's history by their markers. A part counts as absent only some time after it was last handed over,
 * since Slack may still be working on what it did not answer.
 */
final class SlackHistory {
    /** Slack's clock and ours may differ by so much. */
    private static final Duration CLOCKS_APART = Duration.ofSeconds(60);

    private static final Duration SETTLED = Duration.ofSeconds(10);
    private static final Duration CALL = Duration.ofSeconds(15);
    private static final int PAGE = 200;
    private static final int MAX_PAGES = 20;

    /** What stays so whoever asks again: we may not look there. */
    private static final Set<String> BLIND = Set.of(
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
        // Before it is looked for: what is posted in between is not missed by what is read afterwards.
        Instant asked = clock.instant();
        String cursor = "";
        for (int page = 0; page < MAX_PAGES; page++) {
            switch (page(parcel, cursor)) {
                case SlackReply.Done(ObjectNode told) -> {
                    for (JsonNode message : told.path("messages")) {
                        if (parcel.marker().equals(SlackMessages.marker(message))) {
                            return new Lookup.There(SlackJson.text(message, "ts"));
                        }
                    }
                    cursor = SlackJson.text(told.path("response_metadata"), "next_cursor");
                    if (cursor.isEmpty()) {
                        return notFound(parcel, asked);
                    }
                }
                case SlackReply.Failed(String error) -> {
                    String why = SlackError.sentence(error);
                    return BLIND.contains(error) ? new Lookup.Unknowable(why) : new Lookup.NotYet(why);
                }
                case SlackReply.Limited limited -> {
                    return new Lookup.NotYet("Slack is asked too often.");
                }
                case SlackReply.Lost(String why, boolean maybeDone) -> {
                    return new Lookup.NotYet(why);
                }
            }
        }
        return new Lookup.Unknowable("Too much was said since to look through.");
    }

    private Lookup notFound(Parcel parcel, Instant asked) {
        return asked.isBefore(parcel.triedAt().plus(SETTLED))
                ? new Lookup.NotYet("Slack does not show it, and may do so soon.")
                : new Lookup.Absent();
    }

    private SlackReply page(Parcel parcel, String cursor) throws InterruptedException {
        Map<String, String> arguments = new TreeMap<>();
        arguments.put("channel", parcel.target().channel());
        arguments.put("oldest", parcel.begunAt().minus(CLOCKS_APART).getEpochSecond() + ".000000");
        arguments.put("include_all_metadata", "true");
        arguments.put("limit", Integer.toString(PAGE));
        if (!cursor.isEmpty()) {
            arguments.put("cursor", cursor);
        }
        String thread = parcel.target().thread();
        if (thread.isEmpty()) {
            return api.ask("conversations.history", arguments, CALL);
        }
        arguments.put("ts", thread);
        return api.ask("conversations.replies", arguments, CALL);
    }
}
