package dev.parley.platforms.discord;

import dev.parley.delivery.ChatTransport.Lookup;
import dev.parley.delivery.Parcel;
import dev.parley.outbound.Calls;
import dev.parley.outbound.OutboundRefused;
import dev.parley.protocol.Json;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Looks up parts without an answer in a channel's history.
 *
 * <p>A message with the part's nonce is the part. Discord does not promise to show nonces in a history, so a missing
 * nonce proves nothing. While Discord surely remembers the nonce, the part may be sent again, because Discord then
 * answers with the existing message.
 *
 * <p>Later the text decides. If the bot has posted exactly one message with the part's text since the first attempt,
 * this message is the part, because a channel gets one part at a time. If there is no message with this text, the part
 * is absent. If there are several, or if the message is from shortly before the first attempt, the outcome is
 * unknowable, and the part is never sent again automatically.
 */
final class DiscordSearch {
    /** Time in which Discord may still be processing a request without an answer. */
    private static final Duration SETTLE_TIME = Duration.ofSeconds(10);
    /** Time in which Discord surely remembers a nonce; it documents "a few minutes". */
    private static final Duration NONCE_LIFETIME = Duration.ofSeconds(90);
    /** Tolerated difference between Discord's clock and the server's. */
    private static final Duration CLOCK_SKEW = Duration.ofMinutes(1);

    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    private static final int PAGE = 100;
    private static final int MAX_PAGES = 10;

    private final DiscordApi api;
    private final DiscordAccount account;
    private final Clock clock;

    DiscordSearch(DiscordApi api, DiscordAccount account, Clock clock) {
        this.api = api;
        this.account = account;
        this.clock = clock;
    }

    /** The result of reading a channel's history. */
    private sealed interface History {
        /** @param whole true if all messages up to now were read */
        record Read(List<JsonNode> messages, boolean whole) implements History {}

        /** @param permanent true if the bot cannot read the history later either */
        record Unreadable(String reason, boolean permanent) implements History {}
    }

    Lookup lookUp(Parcel parcel) throws InterruptedException {
        Instant now = clock.instant();
        boolean settled = !now.isBefore(parcel.triedAt().plus(SETTLE_TIME));
        // The time is counted from the first attempt, so it ends before Discord forgets the nonce.
        boolean remembered = now.isBefore(parcel.begunAt().plus(NONCE_LIFETIME));
        return switch (read(parcel)) {
            case History.Unreadable unreadable when remembered -> settled ? new Lookup.SendAgain() : unsettled();
            case History.Unreadable unreadable ->
                unreadable.permanent()
                        ? new Lookup.Unknowable(unreadable.reason())
                        : new Lookup.NotYet(unreadable.reason());
            case History.Read history -> {
                Optional<JsonNode> withNonce = history.messages().stream()
                        .filter(message -> parcel.marker().equals(DiscordJson.text(message, "nonce")))
                        .findFirst();
                if (withNonce.isPresent()) {
                    yield new Lookup.There(withNonce.get().path("id").asString(""));
                }
                if (!settled) {
                    yield unsettled();
                }
                // The part may exist, but Discord accepts a nonce once, and answers with the existing message.
                yield remembered ? new Lookup.SendAgain() : byText(parcel, history);
            }
        };
    }

    private static Lookup unsettled() {
        return new Lookup.NotYet("Discord may still be processing the part.");
    }

    private Lookup byText(Parcel parcel, History.Read history) {
        Optional<String> self = account.id();
        if (self.isEmpty()) {
            return new Lookup.NotYet("The bot's own user id is unknown.");
        }
        String letters = letters(parcel.text());
        List<JsonNode> matches = history.messages().stream()
                .filter(message ->
                        self.get().equals(message.path("author").path("id").asString("")))
                .filter(message -> DiscordJson.text(message, "nonce") == null)
                .filter(message ->
                        letters.equals(letters(message.path("content").asString(""))))
                .toList();
        if (matches.isEmpty() && history.whole()) {
            return new Lookup.Absent();
        }
        if (matches.isEmpty()) {
            return new Lookup.Unknowable("Too many messages were posted since the part was sent.");
        }
        String id = matches.getFirst().path("id").asString("");
        boolean since = !Snowflake.madeAt(id).isBefore(parcel.begunAt().truncatedTo(ChronoUnit.MILLIS));
        return matches.size() == 1 && since
                ? new Lookup.There(id)
                : new Lookup.Unknowable("The bot posted the same text more than once at that time.");
    }

    /**
     * The letters and digits of a text. Discord strips blanks and perhaps other invisible characters, but keeps letters
     * and digits.
     */
    private static String letters(String text) {
        StringBuilder letters = new StringBuilder();
        text.codePoints().filter(Character::isLetterOrDigit).forEach(letters::appendCodePoint);
        return letters.isEmpty() ? text.strip() : letters.toString();
    }

    /** Reads the history from shortly before the first attempt up to now, page by page. */
    private History read(Parcel parcel) throws InterruptedException {
        String channel = DiscordTransport.channel(parcel.target());
        if (!DiscordJson.isId(channel)) {
            return new History.Unreadable("The channel is not an id of Discord.", true);
        }
        String after = Snowflake.first(parcel.begunAt().minus(CLOCK_SKEW));
        List<JsonNode> messages = new ArrayList<>();
        try {
            for (int page = 0; page < MAX_PAGES; page++) {
                Calls.Answer answer =
                        api.get("/channels/" + channel + "/messages?limit=" + PAGE + "&after=" + after, TIMEOUT);
                if (answer.status() != 200) {
                    return unreadable(answer.status());
                }
                JsonNode pageMessages = Json.MAPPER.readTree(answer.body());
                for (JsonNode message : pageMessages) {
                    String id = message.path("id").asString("");
                    if (!DiscordJson.isId(id)) {
                        return new History.Unreadable("Discord sent an unreadable history of the channel.", false);
                    }
                    messages.add(message);
                    after = Snowflake.isLater(id, after) ? id : after;
                }
                if (!pageMessages.isArray() || pageMessages.size() < PAGE) {
                    return new History.Read(messages, pageMessages.isArray());
                }
            }
            return new History.Read(messages, false);
        } catch (Calls.NoAnswer | OutboundRefused | JacksonException lost) {
            return new History.Unreadable("Discord did not send the history of the channel.", false);
        }
    }

    private static History unreadable(int status) {
        boolean permanent = status == 403 || status == 404 || status == 400;
        return new History.Unreadable("Discord did not send the history of the channel (" + status + ").", permanent);
    }
}
