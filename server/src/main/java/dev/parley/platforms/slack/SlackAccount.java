package dev.parley.platforms.slack;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The bot's own ids at Slack: from each event's envelope, or from auth.test if an envelope contains no id. */
final class SlackAccount {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(30);

    private final @Nullable SlackApi api;
    private final Clock clock;
    private final AtomicReference<@Nullable AccountReading> cached = new AtomicReference<>();

    /** @param api null if Slack cannot be asked */
    SlackAccount(@Nullable SlackApi api, Clock clock) {
        this.api = api;
        this.clock = clock;
    }

    /** @param user empty if Slack did not answer */
    private record AccountReading(String user, String bot, Instant at) {}

    /** The user id by which people mention the bot; empty if it is unknown. */
    Optional<String> user(SlackEnvelope envelope) {
        for (JsonNode each : envelope.authorizations()) {
            if (SlackJson.isTrue(each, "is_bot")
                    && !SlackJson.text(each, "user_id").isEmpty()) {
                return Optional.of(SlackJson.text(each, "user_id"));
            }
        }
        return Optional.of(reading().user()).filter(user -> !user.isEmpty());
    }

    boolean isUser(SlackEnvelope envelope, String user) {
        return !user.isEmpty() && user(envelope).filter(user::equals).isPresent();
    }

    /** True if the bot itself wrote the message. */
    boolean isOwnMessage(SlackEnvelope envelope, JsonNode message) {
        String bot = SlackJson.text(message, "bot_id");
        String app = SlackJson.first(
                SlackJson.text(message, "app_id"), SlackJson.text(message.path("bot_profile"), "app_id"));
        return isUser(envelope, SlackJson.text(message, "user"))
                || !bot.isEmpty() && !app.isEmpty() && app.equals(envelope.app())
                || !bot.isEmpty() && bot.equals(reading().bot());
    }

    private AccountReading reading() {
        AccountReading before = cached.get();
        Instant now = clock.instant();
        if (before != null
                && (!before.user().isEmpty() || now.isBefore(before.at().plus(RETRY_INTERVAL)))) {
            return before;
        }
        AccountReading body = reading(now);
        cached.set(body);
        return body;
    }

    private AccountReading reading(Instant now) {
        try {
            if (api != null && api.query("auth.test", Map.of(), TIMEOUT) instanceof SlackReply.Done(ObjectNode body)) {
                return new AccountReading(SlackJson.text(body, "user_id"), SlackJson.text(body, "bot_id"), now);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return new AccountReading("", "", now);
    }
}
