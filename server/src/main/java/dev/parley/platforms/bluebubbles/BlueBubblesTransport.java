package dev.parley.platforms.bluebubbles;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.delivery.ChatTransport;
import dev.parley.delivery.Parcel;
import dev.parley.delivery.ReplyTarget;
import dev.parley.delivery.RetryAfter;
import dev.parley.outbound.Calls;
import dev.parley.outbound.OutboundRefused;
import dev.parley.protocol.Json;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends through the Mac's Messages app, and looks up parts without an answer in the app's history.
 *
 * <p>The history does not show the server's markers, so a part is found by its text. A message in the chat is the part
 * if the Mac's owner sent it with an equal text, and if it is not older than the first attempt. An equal text from
 * shortly before the first attempt may be an earlier part, or the same part because of clock skew. Then the outcome is
 * unknowable.
 */
final class BlueBubblesTransport implements ChatTransport {
    /**
     * A limit of this server, because iMessage has no limit. Longer texts take long to send and are hard to read on a
     * phone.
     */
    static final int MAX_PART_LENGTH = 4_000;

    /** Time after which a missing part counts as absent; BlueBubbles gives up on a message after two minutes. */
    static final Duration SETTLE_TIME = Duration.ofSeconds(150);

    /** Time before the first send in which an equal text makes the outcome unknowable. */
    static final Duration AMBIGUOUS_TIME = Duration.ofSeconds(60);

    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(15);
    private static final Duration TYPING_TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_QUERIED = 200;
    private static final int MAX_MARKERS = 10_000;

    private final BlueBubblesApi api;
    private final Clock clock;
    /**
     * The markers of found parts, by the guids of their messages. Such a message must not be matched to another part
     * with an equal text.
     */
    private final Cache<String, String> markers =
            Caffeine.newBuilder().maximumSize(MAX_MARKERS).build();

    BlueBubblesTransport(BlueBubblesApi api, Clock clock) {
        this.api = api;
        this.clock = clock;
    }

    @Override
    public String source() {
        return BlueBubblesEvents.SOURCE;
    }

    @Override
    public int largestPart() {
        return MAX_PART_LENGTH;
    }

    @Override
    public SendResult send(Parcel parcel) throws InterruptedException {
        ObjectNode body = Json.MAPPER
                .createObjectNode()
                .put("chatGuid", parcel.target().channel())
                .put("message", parcel.text())
                .put("tempGuid", parcel.marker())
                .put("method", "apple-script");
        try {
            SendResult sent = read(api.post("message/text", body, SEND_TIMEOUT));
            if (sent instanceof SendResult.Delivered delivered) {
                markers.put(delivered.externalId(), parcel.marker());
            }
            return sent;
        } catch (Calls.NoAnswer lost) {
            return SendResult.unanswered(lost);
        } catch (OutboundRefused refused) {
            return new SendResult.NotNow(String.valueOf(refused.getMessage()), null);
        }
    }

    private static SendResult read(BlueBubblesApi.Reply reply) {
        int status = reply.status();
        String reason = "BlueBubbles answered " + status + ".";
        if (status == 200) {
            String guid = Fields.text(reply.content(), "guid");
            return guid.isEmpty()
                    ? new SendResult.Unknown("BlueBubbles did not say what it sent.")
                    : new SendResult.Delivered(guid);
        }
        String errorMessage = Fields.text(reply.body().path("error"), "message");
        if (status >= 500) {
            return broken(reply, errorMessage);
        }
        if (!reply.isFromBlueBubbles() || status == 401 || status == 403 || status == 429 || status < 400) {
            // The password is wrong or the tunnel is broken, and an operator can repair both.
            return new SendResult.NotNow(reason, seconds(reply.retryAfter()));
        }
        return status == 400 && errorMessage.contains("already queued")
                ? new SendResult.Unknown("BlueBubbles is still sending it.")
                : new SendResult.Refused(reason);
    }

    /**
     * The result of an error of the server. The message may have been sent, unless Messages itself reports that it was
     * not sent.
     */
    private static SendResult broken(BlueBubblesApi.Reply reply, String errorMessage) {
        if (reply.isFromBlueBubbles() && errorMessage.contains("Chat does not exist")) {
            return new SendResult.Refused("There is no such chat on the Mac.");
        }
        long error = Fields.number(reply.content(), "error");
        return reply.isFromBlueBubbles() && error != 0
                ? new SendResult.NotNow("Messages could not send it (error " + error + ").", null)
                : new SendResult.Unknown("BlueBubbles answered " + reply.status() + ".");
    }

    private static @Nullable Duration seconds(@Nullable String retryAfter) {
        return retryAfter == null ? null : RetryAfter.parse(retryAfter).orElse(null);
    }

    @Override
    public Lookup lookUp(Parcel parcel) throws InterruptedException {
        ObjectNode query = Json.MAPPER
                .createObjectNode()
                .put("chatGuid", parcel.target().channel())
                .put("after", parcel.begunAt().minus(AMBIGUOUS_TIME).toEpochMilli())
                .put("limit", MAX_QUERIED)
                .put("sort", "DESC");
        try {
            BlueBubblesApi.Reply reply = api.post("message/query", query, QUERY_TIMEOUT);
            if (reply.status() != 200 || !reply.content().isArray()) {
                return new Lookup.NotYet("BlueBubbles answered " + reply.status() + ".");
            }
            return find(parcel, reply.content());
        } catch (Calls.NoAnswer | OutboundRefused unanswered) {
            return new Lookup.NotYet(String.valueOf(unanswered.getMessage()));
        }
    }

    private Lookup find(Parcel parcel, JsonNode messages) {
        Instant begun = parcel.begunAt().truncatedTo(ChronoUnit.MILLIS);
        List<Candidate> since = new ArrayList<>();
        boolean justBefore = false;
        for (JsonNode message : messages) {
            if (Fields.text(message, "tempGuid").equals(parcel.marker())) {
                return found(parcel, Fields.text(message, "guid"));
            }
            if (matches(parcel, message)) {
                Instant sent = Fields.moment(message, "dateCreated").orElse(begun);
                if (sent.isBefore(begun)) {
                    justBefore = true;
                } else {
                    since.add(new Candidate(Fields.text(message, "guid"), sent));
                }
            }
        }
        if (!since.isEmpty()) {
            return found(
                    parcel,
                    Collections.min(since, Comparator.comparing(Candidate::sent))
                            .guid());
        }
        if (clock.instant().isBefore(parcel.triedAt().plus(SETTLE_TIME))) {
            return new Lookup.NotYet("It may still be on its way.");
        }
        if (justBefore || messages.size() >= MAX_QUERIED) {
            return new Lookup.Unknowable("The chat already shows an equal text, which may be this part.");
        }
        return new Lookup.Absent();
    }

    private record Candidate(String guid, Instant sent) {}

    private Lookup found(Parcel parcel, String guid) {
        markers.put(guid, parcel.marker());
        return new Lookup.There(guid);
    }

    private boolean matches(Parcel parcel, JsonNode message) {
        String guid = Fields.text(message, "guid");
        return Fields.isTrue(message, "isFromMe")
                && Fields.number(message, "error") == 0
                && !guid.isEmpty()
                && isUnclaimed(guid, parcel)
                && SentText.areSame(Fields.text(message, "text"), parcel.text());
    }

    private boolean isUnclaimed(String guid, Parcel parcel) {
        String marker = markers.getIfPresent(guid);
        return marker == null || marker.equals(parcel.marker());
    }

    @Override
    public void showTyping(ReplyTarget target) throws InterruptedException {
        try {
            api.post(
                    "chat/" + BlueBubblesApi.segment(target.channel()) + "/typing",
                    Json.MAPPER.createObjectNode(),
                    TYPING_TIMEOUT);
        } catch (Calls.NoAnswer | OutboundRefused unseen) {
            // Best effort: typing needs BlueBubbles' private API, which few servers have.
        }
    }
}
