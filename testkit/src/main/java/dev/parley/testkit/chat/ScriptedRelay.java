package dev.parley.testkit.chat;

import dev.parley.protocol.Json;
import dev.parley.testkit.chat.LocalApi.Answer;
import dev.parley.testkit.chat.LocalApi.Request;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An operator's relay. It checks the
 * <a href="https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md">signature</a>,
 * and stores only one message per marker. A repeated marker gets the answer to the first message again.
 */
public final class ScriptedRelay implements AutoCloseable {
    /** The one channel that the relay does not know. */
    public static final String NOWHERE = "nowhere";

    private static final String PATH = "/out";
    private static final Duration LEEWAY = Duration.ofMinutes(5);

    private final byte[] key;
    private final Clock clock;
    private final LocalApi api = new LocalApi(this::answer);
    private final Map<String, Taken> taken = new LinkedHashMap<>();
    private @Nullable Instant closedUntil;

    public ScriptedRelay(byte[] key, Clock clock) {
        this.key = key.clone();
        this.clock = clock;
    }

    /** A message that the relay accepted. */
    public record Taken(String externalId, JsonNode body) {}

    public URI url() {
        return URI.create(api.url() + PATH);
    }

    public LocalApi api() {
        return api;
    }

    public synchronized List<Taken> taken() {
        return new ArrayList<>(taken.values());
    }

    /** Refuses every message for this time. */
    public synchronized void closeFor(Duration time) {
        closedUntil = clock.instant().plus(time);
    }

    private synchronized Answer answer(Request request) {
        String id = request.header("webhook-id").orElse("");
        if (!isSigned(request, id)) {
            return Answer.json(401, "{}");
        }
        Instant now = clock.instant();
        if (closedUntil != null && now.isBefore(closedUntil)) {
            long seconds = Math.ceilDiv(Duration.between(now, closedUntil).toMillis(), 1_000L);
            return Answer.json(429, "{}").with("Retry-After", Long.toString(seconds));
        }
        JsonNode body = Json.MAPPER.readTree(request.body());
        if (body.path("channel").asString("").equals(NOWHERE)) {
            return Answer.json(404, "{}");
        }
        if (!id.equals(body.path("marker").asString())
                || !request.header("Idempotency-Key").orElse("").equals(id)) {
            return Answer.json(400, "{}");
        }
        Taken part = taken.computeIfAbsent(id, marker -> new Taken("ext-" + (taken.size() + 1), body));
        return Answer.json(
                200,
                Json.MAPPER
                        .createObjectNode()
                        .put("external_id", part.externalId())
                        .toString());
    }

    private boolean isSigned(Request request, String id) {
        String timestamp = request.header("webhook-timestamp").orElse("0");
        Duration age = Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), clock.instant());
        byte[] right = signature(id, timestamp, request.body()).getBytes(StandardCharsets.US_ASCII);
        // The sender sends two signatures while its secret is being replaced.
        String[] given = request.header("webhook-signature").orElse("").split(" ");
        return age.abs().compareTo(LEEWAY) <= 0
                && Arrays.stream(given)
                        .anyMatch(each -> MessageDigest.isEqual(right, each.getBytes(StandardCharsets.US_ASCII)));
    }

    private String signature(String id, String timestamp, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException(missing);
        }
    }

    @Override
    public void close() {
        api.close();
    }
}
