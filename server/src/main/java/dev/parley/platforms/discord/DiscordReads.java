package dev.parley.platforms.discord;

import static dev.parley.ingest.HistoryCalls.CONFIG_RETRY_DELAY;
import static dev.parley.ingest.HistoryCalls.DEFAULT_RETRY_DELAY;

import dev.parley.ingest.HistoryCalls;
import dev.parley.ingest.PlatformHistory;
import dev.parley.outbound.Calls;
import dev.parley.outbound.OutboundRefused;
import dev.parley.protocol.Json;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Reads messages from Discord within one deadline. */
final class DiscordReads {
    private final DiscordApi api;
    private final long deadline;
    private final HistoryCalls calls = new HistoryCalls();

    DiscordReads(DiscordApi api, Duration limit) {
        this.api = api;
        this.deadline = HistoryCalls.deadlineAfter(limit);
    }

    /** Thrown if Discord does not show the messages. */
    static final class Unreadable extends Exception {
        private final String problem;
        private final @Nullable Duration retryAfter;

        /** @param retryAfter null if the answer is final */
        Unreadable(String problem, @Nullable Duration retryAfter) {
            super(problem);
            this.problem = problem;
            this.retryAfter = retryAfter;
        }

        PlatformHistory.Unread toHistory() {
            return new PlatformHistory.Unread(problem, retryAfter);
        }
    }

    JsonNode get(String path) throws Unreadable, InterruptedException {
        try {
            return read(calls.call(deadline, remaining -> call(path, remaining), DiscordReads::pause));
        } catch (HistoryCalls.TimeOver over) {
            throw over.pause() == null
                    ? new Unreadable("Discord did not show the earlier messages in time.", DEFAULT_RETRY_DELAY)
                    : new Unreadable("Discord limits how often earlier messages are read.", over.pause());
        }
    }

    private static @Nullable Duration pause(Calls.Answer answer) {
        return answer.status() == 429
                ? Objects.requireNonNullElse(DiscordTransport.pause(answer), DEFAULT_RETRY_DELAY)
                : null;
    }

    private Calls.Answer call(String path, Duration limit) throws Unreadable, InterruptedException {
        try {
            return api.get(path, limit);
        } catch (Calls.NoAnswer | OutboundRefused lost) {
            throw new Unreadable(
                    "Discord did not show the earlier messages: " + lost.getMessage(), DEFAULT_RETRY_DELAY);
        }
    }

    private static JsonNode read(Calls.Answer answer) throws Unreadable {
        JsonNode body = parse(answer);
        int code = body.path("code").asInt(0);
        String reason = "Discord answered " + answer.status() + (code == 0 ? "" : ", code " + code) + ".";
        return switch (answer.status()) {
            case 200 -> body;
            case 401 -> throw new Unreadable(reason + " Check discord-bot-token.", CONFIG_RETRY_DELAY);
            case 403 ->
                throw new Unreadable(reason + " Give the bot the permission Read Message History.", CONFIG_RETRY_DELAY);
            case 404 -> throw new Unreadable(reason + " The message or its channel is gone.", null);
            default -> throw new Unreadable(reason, DEFAULT_RETRY_DELAY);
        };
    }

    private static JsonNode parse(Calls.Answer answer) throws Unreadable {
        try {
            return Json.MAPPER.readTree(answer.body());
        } catch (JacksonException notJson) {
            throw new Unreadable("Discord answered " + answer.status() + " without JSON.", DEFAULT_RETRY_DELAY);
        }
    }
}
