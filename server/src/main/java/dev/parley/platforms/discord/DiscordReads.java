package dev.parley.platforms.discord;

import dev.parley.ingest.PlatformHistory;
import dev.parley.outbound.Calls;
import dev.parley.outbound.OutboundRefused;
import dev.parley.protocol.Json;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Reads messages from Discord until a moment; a pause that Discord asks for is waited out if it ends before that. */
final class DiscordReads {
    private static final Duration USUAL_PAUSE = Duration.ofSeconds(30);
    /** Time for an operator to change what Discord refuses. */
    private static final Duration UNTIL_MENDED = Duration.ofMinutes(10);

    private final DiscordApi api;
    private final long end;

    DiscordReads(DiscordApi api, Duration limit) {
        this.api = api;
        this.end = System.nanoTime() + limit.toNanos();
    }

    /** Discord does not show it. */
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
        Duration pause = Duration.ZERO;
        while (true) {
            long left = end - System.nanoTime() - pause.toNanos();
            if (left <= 0) {
                throw pause.isZero()
                        ? new Unreadable("Discord did not show the earlier messages in time.", USUAL_PAUSE)
                        : new Unreadable("Discord limits how often earlier messages are read.", pause);
            }
            Thread.sleep(pause);
            Calls.Answer answer = call(path, Duration.ofNanos(left));
            if (answer.status() != 429) {
                return read(answer);
            }
            pause = Objects.requireNonNullElse(DiscordTransport.pause(answer), USUAL_PAUSE);
        }
    }

    private Calls.Answer call(String path, Duration limit) throws Unreadable, InterruptedException {
        try {
            return api.get(path, limit);
        } catch (Calls.NoAnswer | OutboundRefused lost) {
            throw new Unreadable("Discord did not show the earlier messages: " + lost.getMessage(), USUAL_PAUSE);
        }
    }

    private static JsonNode read(Calls.Answer answer) throws Unreadable {
        JsonNode body = parse(answer);
        int code = body.path("code").asInt(0);
        String said = "Discord answered " + answer.status() + (code == 0 ? "" : ", code " + code) + ".";
        return switch (answer.status()) {
            case 200 -> body;
            case 401 -> throw new Unreadable(said + " Check discord-bot-token.", UNTIL_MENDED);
            case 403 -> throw new Unreadable(said + " Give the bot the permission Read Message History.", UNTIL_MENDED);
            case 404 -> throw new Unreadable(said + " The message or its channel is gone.", null);
            default -> throw new Unreadable(said, USUAL_PAUSE);
        };
    }

    private static JsonNode parse(Calls.Answer answer) throws Unreadable {
        try {
            return Json.MAPPER.readTree(answer.body());
        } catch (JacksonException notJson) {
            throw new Unreadable("Discord answered " + answer.status() + " without JSON.", USUAL_PAUSE);
        }
    }
}
