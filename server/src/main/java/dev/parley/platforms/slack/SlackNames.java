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
 * What Slack's people are called. Slack waits three seconds for its answer, so a name that takes longer is the id this
 * time, and known the next time.
 */
final class SlackNames implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SlackNames.class);
    private static final Duration KEPT = Duration.ofHours(1);
    private static final Duration KEPT_UNKNOWN = Duration.ofSeconds(30);
    private static final Duration LOOKUP = Duration.ofSeconds(10);
    private static final int MAX_NAMES = 50_000;

    private final @Nullable SlackApi api;
    private final Duration wait;
    private final ExecutorService lookups = Executors.newVirtualThreadPerTaskExecutor();
    private final AsyncCache<String, Optional<String>> names;

    /**
     * @param api null if Slack cannot be asked: then the id is the name
     * @param wait time for Slack to tell a name
     */
    SlackNames(@Nullable SlackApi api, Duration wait, Clock clock) {
        this.api = api;
        this.wait = wait;
        this.names = Caffeine.newBuilder()
                .maximumSize(MAX_NAMES)
                .expireAfter(
                        Expiry.<String, Optional<String>>creating((id, name) -> name.isPresent() ? KEPT : KEPT_UNKNOWN))
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(clock.millis()))
                .buildAsync();
    }

    /** Asks for several names at once and waits for them, but no longer than for one; then those are known that came. */
    void lookUp(Collection<String> ids) throws InterruptedException {
        if (api == null) {
            return;
        }
        try {
            CompletableFuture.allOf(ids.stream().map(this::asked).toArray(CompletableFuture[]::new))
                    .get(wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException | RejectedExecutionException late) {
            LOG.debug("Slack did not tell all names in time: {}", late.toString());
        }
    }

    private CompletableFuture<Optional<String>> asked(String id) {
        return names.get(id, (asked, others) -> CompletableFuture.supplyAsync(() -> ask(asked), lookups));
    }

    /** The name of somebody; the id itself if it cannot be had soon. */
    String of(String id) {
        if (api == null) {
            return id;
        }
        try {
            return asked(id).get(wait.toMillis(), TimeUnit.MILLISECONDS).orElse(id);
        } catch (ExecutionException | TimeoutException | RejectedExecutionException late) {
            return id;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return id;
        }
    }

    /** The name of somebody, if it is known already. */
    Optional<String> known(String id) {
        CompletableFuture<Optional<String>> asked = names.getIfPresent(id);
        return asked == null || !asked.isDone() || asked.isCompletedExceptionally() ? Optional.empty() : asked.join();
    }

    private Optional<String> ask(String id) {
        if (api == null) {
            return Optional.empty();
        }
        try {
            return api.ask("users.info", Map.of("user", id), LOOKUP) instanceof SlackReply.Done(ObjectNode told)
                    ? read(told.path("user"))
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
