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

/** Who we are at Slack: told by each delivery, and by Slack itself where a delivery does not tell. */
final class SlackAccount {
    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final Duration KEPT_UNKNOWN = Duration.ofSeconds(30);

    private final @Nullable SlackApi api;
    private final Clock clock;
    private final AtomicReference<@Nullable AccountReading> asked = new AtomicReference<>();

    /** @param api null if Slack cannot be asked */
    SlackAccount(@Nullable SlackApi api, Clock clock) {
        this.api = api;
        this.clock = clock;
    }

    /** @param user empty if Slack did not say */
    private record AccountReading(String user, String bot, Instant at) {}

    /** The id by which people mention us; empty if nobody can say. */
    Optional<String> user(SlackEnvelope envelope) {
        for (JsonNode each : envelope.authorizations()) {
            if (SlackJson.isTrue(each, "is_bot")
                    && !SlackJson.text(each, "user_id").isEmpty()) {
                return Optional.of(SlackJson.text(each, "user_id"));
            }
        }
        return Optional.of(ask().user()).filter(user -> !user.isEmpty());
    }

    boolean isUser(SlackEnvelope envelope, String user) {
        return !user.isEmpty() && user(envelope).filter(user::equals).isPresent();
    }

    /** Whether our own account said this. */
    boolean said(SlackEnvelope envelope, JsonNode message) {
        String bot = SlackJson.text(message, "bot_id");
        String app = SlackJson.first(
                SlackJson.text(message, "app_id"), SlackJson.text(message.path("bot_profile"), "app_id"));
        return isUser(envelope, SlackJson.text(message, "user"))
                || !bot.isEmpty() && !app.isEmpty() && app.equals(envelope.app())
                || !bot.isEmpty() && bot.equals(ask().bot());
    }

    private AccountReading ask() {
        AccountReading before = asked.get();
        Instant now = clock.instant();
        if (before != null
                && (!before.user().isEmpty() || now.isBefore(before.at().plus(KEPT_UNKNOWN)))) {
            return before;
        }
        AccountReading told = ask(now);
        asked.set(told);
        return told;
    }

    private AccountReading ask(Instant now) {
        try {
            if (api != null && api.ask("auth.test", Map.of(), WAIT) instanceof SlackReply.Done(ObjectNode told)) {
                return new AccountReading(SlackJson.text(told, "user_id"), SlackJson.text(told, "bot_id"), now);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return new AccountReading("", "", now);
    }
}
