package dev.parley.platforms.slack;

import dev.parley.delivery.RetryAfter;
import dev.parley.outbound.Calls;
import dev.parley.outbound.OutboundRefused;
import dev.parley.outbound.OutboundUrl;
import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Json;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Calls methods of <a href="https://docs.slack.dev/apis/web-api/">Slack's Web API</a> with the bot's token. No error
 * and no log line contains the token.
 */
final class SlackApi {
    private static final long MAX_ANSWER_BYTES = 8L * 1024 * 1024;

    private final Calls calls;
    private final String base;
    private final String token;

    SlackApi(Calls calls, URI base, String token) {
        this.calls = calls;
        this.base = Alphabet.SLASHES.strippedFromEnd(base.toString()) + "/";
        this.token = token;
    }

    String authorization() {
        return "Bearer " + token;
    }

    /** Calls a method that writes, with JSON. */
    SlackReply perform(String method, ObjectNode arguments, Duration limit) throws InterruptedException {
        return call(method, "application/json; charset=utf-8", Json.MAPPER.writeValueAsBytes(arguments), limit);
    }

    /** Calls a method that reads, with a form, as such methods accept no JSON. */
    SlackReply query(String method, Map<String, String> arguments, Duration limit) throws InterruptedException {
        String form = arguments.entrySet().stream()
                .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return call(method, "application/x-www-form-urlencoded", form.getBytes(StandardCharsets.UTF_8), limit);
    }

    private SlackReply call(String method, String contentType, byte[] body, Duration limit)
            throws InterruptedException {
        try {
            return read(calls.make(Calls.Request.post(OutboundUrl.parse(base + method), contentType, body)
                    .trusted()
                    .with("Authorization", authorization())
                    .within(limit)
                    .atMost(MAX_ANSWER_BYTES)));
        } catch (Calls.NoAnswer lost) {
            return new SlackReply.Lost(String.valueOf(lost.getMessage()), lost.maybeSent());
        } catch (OutboundRefused refused) {
            return new SlackReply.Lost(String.valueOf(refused.getMessage()), false);
        }
    }

    private static SlackReply read(Calls.Answer answer) {
        if (answer.status() == 429) {
            return new SlackReply.Limited(retryAfter(answer));
        }
        JsonNode body = parse(answer.body());
        if (answer.status() == 200
                && body instanceof ObjectNode object
                && object.path("ok").isBoolean()) {
            return SlackJson.isTrue(object, "ok")
                    ? new SlackReply.Done(object)
                    : new SlackReply.Failed(SlackJson.first(SlackJson.text(object, "error"), "unknown"));
        }
        // A proxy before Slack refused the request, or Slack failed.
        return answer.status() >= 400 && answer.status() < 500
                ? new SlackReply.Failed("http_" + answer.status())
                : new SlackReply.Lost("Slack answered " + answer.status() + " without a readable body.", true);
    }

    private static @Nullable JsonNode parse(byte[] body) {
        try {
            return Json.MAPPER.readTree(body);
        } catch (JacksonException notJson) {
            return null;
        }
    }

    private static @Nullable Duration retryAfter(Calls.Answer answer) {
        return answer.header("Retry-After").flatMap(RetryAfter::parse).orElse(null);
    }
}
