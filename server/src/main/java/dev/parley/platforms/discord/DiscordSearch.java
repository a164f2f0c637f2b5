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
 * Finds out whether Discord has a part whose answer was lost.
 *
 * <p>A message that shows the part's nonce is that part. Discord does not promise to show nonces in a channel's history,
 * so their absence proves nothing. While Discord is sure to remember nonces it does not matter: the part may be sent again,
 * and Discord itself answers with the message that it has. Later on only the bot's own words are left to go by. One
 * message with the part's words since it was handed over is the part, since a place is told one part at a time; no such
 * message means that it is not there; several, or one from shortly before, cannot be told apart, and the part is never
 * sent again by itself.
 */
final class DiscordSearch {
    /** The call that was lost may still be under way at Discord. */
    private static final Duration SETTLING = Duration.ofSeconds(10);
    /** Discord says that it remembers nonces for "a few minutes"; this is surely within them. */
    private static final Duration REMEMBERED = Duration.ofSeconds(90);
    /** By how much our clock and Discord's may differ. */
    private static final Duration SKEW = Duration.ofMinutes(1);

    private static final Duration LIMIT = Duration.ofSeconds(15);
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

    /** What a channel's history says. */
    private sealed interface History {
        /** @param whole whether it goes on until now */
        record Read(List<JsonNode> messages, boolean whole) implements History {}

        /** @param forGood whether it will never be readable to the bot */
        record Unreadable(String why, boolean forGood) implements History {}
    }

    Lookup lookUp(Parcel parcel) throws InterruptedException {
        Instant now = clock.instant();
        boolean settled = !now.isBefore(parcel.triedAt().plus(SETTLING));
        // Counted from the first time, and so never longer than Discord counts.
        boolean remembered = now.isBefore(parcel.begunAt().plus(REMEMBERED));
        return switch (read(parcel)) {
            case History.Unreadable unreadable when remembered -> settled ? new Lookup.SendAgain() : unsettled();
            case History.Unreadable unreadable ->
                unreadable.forGood() ? new Lookup.Unknowable(unreadable.why()) : new Lookup.NotYet(unreadable.why());
            case History.Read history -> {
                Optional<JsonNode> marked = history.messages().stream()
                        .filter(message -> parcel.marker().equals(DiscordJson.text(message, "nonce")))
                        .findFirst();
                if (marked.isPresent()) {
                    yield new Lookup.There(marked.get().path("id").asString(""));
                }
                if (!settled) {
                    yield unsettled();
                }
                // It may be there; but Discord takes the nonce once, and answers with what it has.
                yield remembered ? new Lookup.SendAgain() : byWords(parcel, history);
            }
        };
    }

    private static Lookup unsettled() {
        return new Lookup.NotYet("Discord may still be at it.");
    }

    private Lookup byWords(Parcel parcel, History.Read history) {
        Optional<String> self = account.id();
        if (self.isEmpty()) {
            return new Lookup.NotYet("Discord does not tell which messages are the bot's own.");
        }
        String words = words(parcel.text());
        List<JsonNode> alike = history.messages().stream()
                .filter(message ->
                        self.get().equals(message.path("author").path("id").asString("")))
                .filter(message -> DiscordJson.text(message, "nonce") == null)
                .filter(message -> words.equals(words(message.path("content").asString(""))))
                .toList();
        if (alike.isEmpty() && history.whole()) {
            return new Lookup.Absent();
        }
        if (alike.isEmpty()) {
            return new Lookup.Unknowable("Too much was said in the channel since then to look through.");
        }
        String id = alike.getFirst().path("id").asString("");
        boolean since = !Snowflake.madeAt(id).isBefore(parcel.begunAt().truncatedTo(ChronoUnit.MILLIS));
        return alike.size() == 1 && since
                ? new Lookup.There(id)
                : new Lookup.Unknowable("The bot said the same more than once at that time.");
    }

    /** Discord takes blanks away, and perhaps more that is not seen; letters and digits it leaves alone. */
    private static String words(String text) {
        StringBuilder words = new StringBuilder();
        text.codePoints().filter(Character::isLetterOrDigit).forEach(words::appendCodePoint);
        return words.isEmpty() ? text.strip() : words.toString();
    }

    /** From shortly before the part was handed over, page by page towards now. */
    private History read(Parcel parcel) throws InterruptedException {
        String channel = DiscordTransport.channel(parcel.target());
        if (!DiscordJson.isId(channel)) {
            return new History.Unreadable("The channel has no id of Discord.", true);
        }
        String after = Snowflake.first(parcel.begunAt().minus(SKEW));
        List<JsonNode> messages = new ArrayList<>();
        try {
            for (int page = 0; page < MAX_PAGES; page++) {
                Calls.Answer answer =
                        api.get("/channels/" + channel + "/messages?limit=" + PAGE + "&after=" + after, LIMIT);
                if (answer.status() != 200) {
                    return unreadable(answer.status());
                }
                JsonNode found = Json.MAPPER.readTree(answer.body());
                for (JsonNode message : found) {
                    String id = message.path("id").asString("");
                    if (!DiscordJson.isId(id)) {
                        return new History.Unreadable("Discord's history cannot be read.", false);
                    }
                    messages.add(message);
                    after = Snowflake.isLater(id, after) ? id : after;
                }
                if (!found.isArray() || found.size() < PAGE) {
                    return new History.Read(messages, found.isArray());
                }
            }
            return new History.Read(messages, false);
        } catch (Calls.NoAnswer | OutboundRefused | JacksonException lost) {
            return new History.Unreadable("Discord does not tell what was said in the channel.", false);
        }
    }

    private static History unreadable(int status) {
        boolean forGood = status == 403 || status == 404 || status == 400;
        return new History.Unreadable("Discord does not tell what was said in the channel (" + status + ").", forGood);
    }
}
