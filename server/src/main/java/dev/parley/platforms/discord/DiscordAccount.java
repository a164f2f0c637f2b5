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

/** The bot's own user id. Asked for once; while Discord does not tell, it is unknown, and nobody waits for it for long. */
final class DiscordAccount {
    private static final Logger LOG = LoggerFactory.getLogger(DiscordAccount.class);
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofSeconds(30);

    private final @Nullable DiscordApi api;
    private final Clock clock;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile @Nullable String known;
    private volatile Instant askAgainAt = Instant.MIN;

    /** @param api null without a token, by which nobody can be asked */
    DiscordAccount(@Nullable DiscordApi api, Clock clock) {
        this.api = api;
        this.clock = clock;
    }

    Optional<String> id() {
        String id = known;
        DiscordApi discord = api;
        if (id == null && discord != null && !clock.instant().isBefore(askAgainAt)) {
            id = askOnce(discord);
        }
        return Optional.ofNullable(id);
    }

    /** Those who come meanwhile wait too: what one message is, the next should not be taken for something else. */
    private @Nullable String askOnce(DiscordApi discord) {
        asking.lock();
        try {
            if (known == null && !clock.instant().isBefore(askAgainAt)) {
                known = ask(discord);
                askAgainAt = clock.instant().plus(PAUSE);
            }
            return known;
        } finally {
            asking.unlock();
        }
    }

    private static @Nullable String ask(DiscordApi discord) {
        try {
            Calls.Answer answer = discord.get("/users/@me", LIMIT);
            String id = answer.status() == 200 ? DiscordJson.text(Json.MAPPER.readTree(answer.body()), "id") : null;
            if (id != null && DiscordJson.isId(id)) {
                return id;
            }
            LOG.warn("Discord does not tell the bot's own id: it answered {}.", answer.status());
        } catch (Calls.NoAnswer | OutboundRefused | JacksonException unreadable) {
            LOG.warn("Discord does not tell the bot's own id: {}", unreadable.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return null;
    }
}
