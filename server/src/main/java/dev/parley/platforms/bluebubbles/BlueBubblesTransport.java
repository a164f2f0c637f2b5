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
 * Sends by way of the Mac's own Messages, and asks its history for what was sent without an answer.
 *
 * <p>The history does not show our markers, so a part is looked for by its words: those that the Mac's owner said in that
 * chat since the part was first handed over. The same words a little earlier may be an earlier part or a clock that is
 * behind; then nobody can tell, and it is said so.
 */
final class BlueBubblesTransport implements ChatTransport {
    /** iMessage names no limit; longer ones take long to send and cannot be read on a telephone. */
    static final int MAX_PART_LENGTH = 4_000;

    /** BlueBubbles gives up on a message after two minutes; what is not there some time later will not come. */
    static final Duration SETTLED = Duration.ofSeconds(150);

    static final Duration BEFORE = Duration.ofSeconds(60);

    private static final Duration SEND = Duration.ofSeconds(30);
    private static final Duration ASK = Duration.ofSeconds(15);
    private static final Duration TYPING = Duration.ofSeconds(5);
    private static final int MAX_ASKED = 200;
    private static final int MAX_REMEMBERED = 10_000;

    private final BlueBubblesApi api;
    private final Clock clock;
    /** The marker of each message that is known to be a part of ours, so that no other part is taken for it. */
    private final Cache<String, String> markers =
            Caffeine.newBuilder().maximumSize(MAX_REMEMBERED).build();

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
            SendResult sent = read(api.post("message/text", body, SEND));
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
        String why = "BlueBubbles answered " + status + ".";
        if (status == 200) {
            String guid = Fields.text(reply.content(), "guid");
            return guid.isEmpty()
                    ? new SendResult.Unknown("BlueBubbles did not say what it sent.")
                    : new SendResult.Delivered(guid);
        }
        String said = Fields.text(reply.body().path("error"), "message");
        if (status >= 500) {
            return broken(reply, said);
        }
        if (!reply.isItsOwn() || status == 401 || status == 403 || status == 429 || status < 400) {
            // A wrong password, or a tunnel without its other end: an operator can mend it.
            return new SendResult.NotNow(why, seconds(reply.retryAfter()));
        }
        return status == 400 && said.contains("already queued")
                ? new SendResult.Unknown("BlueBubbles is still sending it.")
                : new SendResult.Refused(why);
    }

    /** The script may have sent it, unless Messages itself says that it could not. */
    private static SendResult broken(BlueBubblesApi.Reply reply, String said) {
        if (reply.isItsOwn() && said.contains("Chat does not exist")) {
            return new SendResult.Refused("There is no such chat on the Mac.");
        }
        long error = Fields.number(reply.content(), "error");
        return reply.isItsOwn() && error != 0
                ? new SendResult.NotNow("Messages could not send it (error " + error + ").", null)
                : new SendResult.Unknown("BlueBubbles answered " + reply.status() + ".");
    }

    private static @Nullable Duration seconds(@Nullable String retryAfter) {
        return retryAfter == null ? null : RetryAfter.parse(retryAfter).orElse(null);
    }

    @Override
    public Lookup lookUp(Parcel parcel) throws InterruptedException {
        ObjectNode question = Json.MAPPER
                .createObjectNode()
                .put("chatGuid", parcel.target().channel())
                .put("after", parcel.begunAt().minus(BEFORE).toEpochMilli())
                .put("limit", MAX_ASKED)
                .put("sort", "DESC");
        try {
            BlueBubblesApi.Reply reply = api.post("message/query", question, ASK);
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
                return there(parcel, Fields.text(message, "guid"));
            }
            if (isLike(parcel, message)) {
                Instant sent = Fields.moment(message, "dateCreated").orElse(begun);
                if (sent.isBefore(begun)) {
                    justBefore = true;
                } else {
                    since.add(new Candidate(Fields.text(message, "guid"), sent));
                }
            }
        }
        if (!since.isEmpty()) {
            return there(
                    parcel,
                    Collections.min(since, Comparator.comparing(Candidate::sent))
                            .guid());
        }
        if (clock.instant().isBefore(parcel.triedAt().plus(SETTLED))) {
            return new Lookup.NotYet("It may still be on its way.");
        }
        if (justBefore || messages.size() >= MAX_ASKED) {
            return new Lookup.Unknowable("The same words stand in the chat already; they may be these.");
        }
        return new Lookup.Absent();
    }

    private record Candidate(String guid, Instant sent) {}

    private Lookup there(Parcel parcel, String guid) {
        markers.put(guid, parcel.marker());
        return new Lookup.There(guid);
    }

    private boolean isLike(Parcel parcel, JsonNode message) {
        String guid = Fields.text(message, "guid");
        return Fields.isTrue(message, "isFromMe")
                && Fields.number(message, "error") == 0
                && !guid.isEmpty()
                && isFree(guid, parcel)
                && SentText.areSame(Fields.text(message, "text"), parcel.text());
    }

    private boolean isFree(String guid, Parcel parcel) {
        String marker = markers.getIfPresent(guid);
        return marker == null || marker.equals(parcel.marker());
    }

    @Override
    public void showTyping(ReplyTarget target) throws InterruptedException {
        try {
            api.post(
                    "chat/" + BlueBubblesApi.segment(target.channel()) + "/typing",
                    Json.MAPPER.createObjectNode(),
                    TYPING);
        } catch (Calls.NoAnswer | OutboundRefused unseen) {
            // Needs BlueBubbles' private API, which few have; nothing depends on it.
        }
    }
}
