package dev.parley.testkit.chat;

import dev.parley.protocol.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Creates <a href="https://docs.slack.dev/apis/events-api/">Slack's events</a>, signs them and sends them to an app.
 */
public final class SlackPostman implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(LIMIT)
            .build();
    private final String secret;
    private final Clock clock;

    public SlackPostman(String secret, Clock clock) {
        this.secret = secret;
        this.clock = clock;
    }

    /** An event in its envelope, with a new id. */
    public static ObjectNode envelope(ObjectNode event) {
        ObjectNode envelope = Json.MAPPER
                .createObjectNode()
                .put("token", "deprecated")
                .put("team_id", ScriptedSlack.TEAM)
                .put("api_app_id", ScriptedSlack.APP)
                .put("type", "event_callback")
                .put(
                        "event_id",
                        "Ev" + UUID.randomUUID().toString().replace("-", "").substring(0, 10))
                .put("event_time", 1_731_665_000)
                .put("is_ext_shared_channel", false);
        envelope.putArray("authorizations")
                .addObject()
                .put("team_id", ScriptedSlack.TEAM)
                .put("user_id", ScriptedSlack.BOT_USER)
                .put("is_bot", true);
        envelope.set("event", event);
        return envelope;
    }

    /** The event of a new message. */
    public static ObjectNode message(SlackPost post) {
        return envelope(post.toJson(true)
                .put("channel", post.channel())
                .put("event_ts", post.ts())
                .put("channel_type", post.channel().startsWith("D") ? "im" : "channel"));
    }

    /** The event of a mention of the bot, which Slack sends besides the event of the message. */
    public static ObjectNode mention(SlackPost post) {
        return envelope(post.toJson(true)
                .put("type", "app_mention")
                .put("channel", post.channel())
                .put("event_ts", post.ts()));
    }

    public static ObjectNode changed(SlackPost before, String text) {
        ObjectNode event = hidden("message_changed", before);
        ObjectNode message = before.toJson(true).put("text", text);
        message.putObject("edited").put("user", before.user()).put("ts", before.ts());
        event.set("message", message);
        event.set("previous_message", before.toJson(true));
        return envelope(event);
    }

    public static ObjectNode deleted(SlackPost before) {
        ObjectNode event = hidden("message_deleted", before).put("deleted_ts", before.ts());
        event.set("previous_message", before.toJson(true));
        return envelope(event);
    }

    private static ObjectNode hidden(String subtype, SlackPost before) {
        return Json.MAPPER
                .createObjectNode()
                .put("type", "message")
                .put("subtype", subtype)
                .put("hidden", true)
                .put("channel", before.channel())
                .put("ts", before.ts())
                .put("channel_type", "channel");
    }

    public static ObjectNode reaction(SlackPost to, String user, String emoji, boolean added) {
        ObjectNode event = Json.MAPPER
                .createObjectNode()
                .put("type", added ? "reaction_added" : "reaction_removed")
                .put("user", user)
                .put("reaction", emoji)
                .put("item_user", to.user())
                .put("event_ts", to.ts());
        event.putObject("item")
                .put("type", "message")
                .put("channel", to.channel())
                .put("ts", to.ts());
        return envelope(event);
    }

    /** The signature of a body at a time in seconds. */
    public static String sign(String secret, String timestamp, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            mac.update(("v0:" + timestamp + ":").getBytes(StandardCharsets.UTF_8));
            return "v0=" + HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    public HttpResponse<String> bring(URI app, ObjectNode envelope) {
        return bring(app, envelope, 0, null);
    }

    /**
     * Sends an event again.
     *
     * @param retry the number of earlier attempts
     */
    public HttpResponse<String> bring(URI app, ObjectNode envelope, int retry, @Nullable String reason) {
        byte[] body = Json.MAPPER.writeValueAsBytes(envelope);
        String timestamp = Long.toString(clock.instant().getEpochSecond());
        HttpRequest.Builder request = HttpRequest.newBuilder(app)
                .timeout(LIMIT)
                .header("Content-Type", "application/json")
                .header("X-Slack-Request-Timestamp", timestamp)
                .header("X-Slack-Signature", sign(secret, timestamp, body))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        if (retry > 0) {
            request.header("X-Slack-Retry-Num", Integer.toString(retry));
        }
        if (reason != null) {
            request.header("X-Slack-Retry-Reason", reason);
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException failed) {
            throw new IllegalStateException("The app did not answer", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
