package dev.parley.platforms.slack;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The names of Slack's users (<a href="https://docs.slack.dev/reference/methods/users.info">Slack: users.info</a>).
 * Slack waits three seconds for the answer to an event. So a name that takes longer is replaced by the id, and known
 * the next time.
 */
final class SlackNames implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SlackNames.class);
    private static final Duration LIFETIME = Duration.ofHours(1);
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(30);
    private static final Duration LOOKUP_TIMEOUT = Duration.ofSeconds(10);
    private static final int MAX_NAMES = 50_000;

    private final @Nullable SlackApi api;
    private final Duration wait;
    private final ExecutorService lookups = Executors.newVirtualThreadPerTaskExecutor();
    private final AsyncCache<String, Optional<String>> names;

    /**
     * @param api null if there is no token; the id then serves as the name
     * @param wait limit for Slack's answer
     */
    SlackNames(@Nullable SlackApi api, Duration wait, Clock clock) {
        this.api = api;
        this.wait = wait;
        this.names = Caffeine.newBuilder()
                .maximumSize(MAX_NAMES)
                .expireAfter(Expiry.<String, Optional<String>>creating(
                        (id, name) -> name.isPresent() ? LIFETIME : RETRY_INTERVAL))
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .buildAsync();
    }

    /**
     * Looks up several names in parallel, within the time limit of a single lookup. Afterwards {@link #known} returns
     * the names that arrived in time.
     */
    void lookUp(Collection<String> ids) throws InterruptedException {
        if (api == null) {
            return;
        }
        try {
            CompletableFuture.allOf(ids.stream().map(this::lookup).toArray(CompletableFuture[]::new))
                    .get(wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | RejectedExecutionException late) {
            LOG.debug("Slack names: not all names arrived in time; showing ids: {}", late.toString());
        }
    }

    private CompletableFuture<Optional<String>> lookup(String id) {
        return names.get(id, (user, others) -> CompletableFuture.supplyAsync(() -> fetch(user), lookups));
    }

    /** The name of a user, or the id if the name does not arrive in time. */
    String of(String id) {
        if (api == null) {
            return id;
        }
        try {
            return lookup(id).get(wait.toMillis(), TimeUnit.MILLISECONDS).orElse(id);
        } catch (ExecutionException | TimeoutException | RejectedExecutionException late) {
            return id;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return id;
        }
    }

    /** The name of a user, if it is cached. */
    Optional<String> known(String id) {
        CompletableFuture<Optional<String>> lookup = names.getIfPresent(id);
        return lookup == null || !lookup.isDone() || lookup.isCompletedExceptionally()
                ? Optional.empty()
                : lookup.join();
    }

    private Optional<String> fetch(String id) {
        if (api == null) {
            return Optional.empty();
        }
        try {
            return api.query("users.info", Map.of("user", id), LOOKUP_TIMEOUT)
                            instanceof SlackReply.Done(ObjectNode body)
                    ? read(body.path("user"))
                    : Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static Optional<String> read(JsonNode user) {
        JsonNode profile = user.path("profile");
        String name = SlackJson.first(
                SlackJson.text(profile, "display_name"),
                SlackJson.text(profile, "real_name"),
                SlackJson.text(user, "real_name"));
        return name.isBlank() ? Optional.empty() : Optional.of(SlackJson.start(name, SlackSender.MAX_NAME));
    }

    @Override
    public void close() {
        lookups.shutdownNow();
    }
}
