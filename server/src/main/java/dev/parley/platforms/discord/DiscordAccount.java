package dev.parley.platforms.discord;

import dev.parley.outbound.Calls;
import dev.parley.outbound.OutboundRefused;
import dev.parley.protocol.Json;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/** The bot's own user id, looked up once. After a failed lookup the id is unknown until the next attempt. */
final class DiscordAccount {
    private static final Logger LOG = LoggerFactory.getLogger(DiscordAccount.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(30);

    private final @Nullable DiscordApi api;
    private final Clock clock;
    private final ReentrantLock lookup = new ReentrantLock();
    private volatile @Nullable String known;
    private volatile Instant retryAt = Instant.MIN;

    /** @param api null if there is no token; the id then stays unknown */
    DiscordAccount(@Nullable DiscordApi api, Clock clock) {
        this.api = api;
        this.clock = clock;
    }

    Optional<String> id() {
        String id = known;
        DiscordApi discord = api;
        if (id == null && discord != null && !clock.instant().isBefore(retryAt)) {
            id = lookUpOnce(discord);
        }
        return Optional.ofNullable(id);
    }

    /** Looks up the id. Concurrent callers wait for the same lookup, so that concurrent messages are mapped alike. */
    private @Nullable String lookUpOnce(DiscordApi discord) {
        lookup.lock();
        try {
            if (known == null && !clock.instant().isBefore(retryAt)) {
                known = lookUp(discord);
                retryAt = clock.instant().plus(RETRY_INTERVAL);
            }
            return known;
        } finally {
            lookup.unlock();
        }
    }

    private static @Nullable String lookUp(DiscordApi discord) {
        try {
            Calls.Answer answer = discord.get("/users/@me", TIMEOUT);
            String id = answer.status() == 200 ? DiscordJson.text(Json.MAPPER.readTree(answer.body()), "id") : null;
            if (id != null && DiscordJson.isId(id)) {
                return id;
            }
            LOG.warn(
                    "Discord account: lookup of the bot's own id was answered with status {}; retrying later",
                    answer.status());
        } catch (Calls.NoAnswer | OutboundRefused | JacksonException unreadable) {
            LOG.warn("Discord account: lookup of the bot's own id failed; retrying later: {}", unreadable.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return null;
    }
}
