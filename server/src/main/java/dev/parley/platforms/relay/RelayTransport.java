package dev.parley.platforms.relay;

import dev.parley.delivery.ChatTransport;
import dev.parley.delivery.Parcel;
import dev.parley.delivery.ReplyTarget;
import dev.parley.delivery.RetryAfter;
import dev.parley.delivery.WebhookSecrets;
import dev.parley.outbound.Calls;
import dev.parley.outbound.OutboundRefused;
import dev.parley.outbound.OutboundUrl;
import dev.parley.protocol.Json;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Posts the messages of agents to the relay of one source, signed by
 * <a href="https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md">Standard
 * Webhooks</a>. A relay must accept each marker once, so a part without an answer is sent again.
 */
public final class RelayTransport implements ChatTransport {
    private static final int MAX_PART_LENGTH = 20_000;
    private static final Duration SETTLE_TIME = Duration.ofSeconds(2);

    private final String source;
    private final OutboundUrl url;
    private final WebhookSecrets secrets;
    private final Calls calls;
    private final Clock clock;

    /** @param secrets the secrets, from which the source's own signing secret is derived */
    public RelayTransport(String source, OutboundUrl url, WebhookSecrets secrets, Calls calls, Clock clock) {
        this.source = source;
        this.url = url;
        this.secrets = secrets;
        this.calls = calls;
        this.clock = clock;
    }

    @Override
    public String source() {
        return source;
    }

    @Override
    public int largestPart() {
        return MAX_PART_LENGTH;
    }

    @Override
    public SendResult send(Parcel parcel) throws InterruptedException {
        return post(parcel, body(parcel));
    }

    @Override
    public SendResult revise(Parcel parcel, String externalId) throws InterruptedException {
        return post(parcel, body(parcel).put("replaces", externalId));
    }

    private SendResult post(Parcel parcel, ObjectNode message) throws InterruptedException {
        byte[] body = Json.MAPPER.writeValueAsBytes(message);
        long time = clock.instant().getEpochSecond();
        try {
            Calls.Answer answer = calls.make(Calls.Request.post(url, "application/json", body)
                    .trusted()
                    .with("Idempotency-Key", parcel.marker())
                    .with("webhook-id", parcel.marker())
                    .with("webhook-timestamp", Long.toString(time))
                    .with("webhook-signature", secrets.sign("relay/" + source, parcel.marker(), time, body)));
            return judge(parcel, answer);
        } catch (Calls.NoAnswer none) {
            return SendResult.unanswered(none);
        } catch (OutboundRefused refused) {
            return new SendResult.NotNow(String.valueOf(refused.getMessage()), null);
        }
    }

    /** The request's body; fields that the platform does not have are left out. */
    private ObjectNode body(Parcel parcel) {
        ReplyTarget target = parcel.target();
        ObjectNode body = Json.MAPPER
                .createObjectNode()
                .put("marker", parcel.marker())
                .put("source", source)
                .put("channel", target.channel())
                .put("text", parcel.text());
        if (!target.workspace().isEmpty()) {
            body.put("workspace", target.workspace());
        }
        if (!target.thread().isEmpty()) {
            body.put("thread", target.thread());
        }
        return body;
    }

    private static SendResult judge(Parcel parcel, Calls.Answer answer) {
        int status = answer.status();
        String reason = "The relay answered " + status + ".";
        if (status >= 200 && status < 300) {
            return new SendResult.Delivered(externalId(parcel, answer));
        }
        if (status == 401 || status == 429 || status == 503) {
            return new SendResult.NotNow(reason, retryAfter(answer));
        }
        // Other errors leave the outcome open, such as the timeout of a proxy.
        return status >= 500 || status == 408 ? new SendResult.Unknown(reason) : new SendResult.Refused(reason);
    }

    /** The platform's id of the message; the marker if the relay does not know one. */
    private static String externalId(Parcel parcel, Calls.Answer answer) {
        try {
            JsonNode id = Json.MAPPER.readTree(answer.body()).path("external_id");
            return id.isString() && !id.stringValue().isBlank() ? id.stringValue() : parcel.marker();
        } catch (JacksonException notJson) {
            return parcel.marker();
        }
    }

    private static @Nullable Duration retryAfter(Calls.Answer answer) {
        return answer.header("Retry-After").flatMap(RetryAfter::parse).orElse(null);
    }

    /** Allows another send after {@link #SETTLE_TIME}, because the relay accepts a marker only once. */
    @Override
    public Lookup lookUp(Parcel parcel) {
        boolean settled = !clock.instant().isBefore(parcel.triedAt().plus(SETTLE_TIME));
        return settled ? new Lookup.SendAgain() : new Lookup.NotYet("It is sent again in a moment.");
    }
}
