package dev.parley.platforms.discord;

import dev.parley.outbound.Calls;
import dev.parley.outbound.OutboundRefused;
import dev.parley.outbound.OutboundUrl;
import dev.parley.protocol.Json;
import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/** Calls <a href="https://docs.discord.com/developers/reference">Discord's API</a> as the bot. */
final class DiscordApi {
    /** The user agent in the form that Discord requires. */
    private static final String USER_AGENT = "DiscordBot (Parley, 1)";

    private static final long MAX_BYTES = 8L * 1024 * 1024;

    private final Calls calls;
    private final String base;
    private final String authorization;

    /** @param base the base address, to which the paths are appended; a slash at its end is ignored */
    DiscordApi(Calls calls, String base, String botToken) {
        this.calls = calls;
        this.base = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
        this.authorization = "Bot " + botToken;
    }

    Calls.Answer get(String path, Duration limit) throws Calls.NoAnswer, OutboundRefused, InterruptedException {
        return make(Calls.Request.get(OutboundUrl.parse(base + path)).within(limit));
    }

    Calls.Answer post(String path, ObjectNode body) throws Calls.NoAnswer, OutboundRefused, InterruptedException {
        return make(Calls.Request.post(
                OutboundUrl.parse(base + path), "application/json", Json.MAPPER.writeValueAsBytes(body)));
    }

    Calls.Answer patch(String path, ObjectNode body) throws Calls.NoAnswer, OutboundRefused, InterruptedException {
        return make(Calls.Request.post(
                        OutboundUrl.parse(base + path), "application/json", Json.MAPPER.writeValueAsBytes(body))
                .by("PATCH"));
    }

    Calls.Answer delete(String path) throws Calls.NoAnswer, OutboundRefused, InterruptedException {
        return make(Calls.Request.get(OutboundUrl.parse(base + path)).by("DELETE"));
    }

    private Calls.Answer make(Calls.Request request) throws Calls.NoAnswer, OutboundRefused, InterruptedException {
        return calls.make(request.trusted()
                .atMost(MAX_BYTES)
                .with("Authorization", authorization)
                .with("User-Agent", USER_AGENT));
    }
}
