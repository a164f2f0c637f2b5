package dev.parley.wakeups;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.MaintNotificationsConfig;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries messages by publish and subscribe of a Redis or Valkey. While it is away messages are refused, not kept: by the
 * time it is back everybody has found out. Our first connections are made here; broken ones the client makes anew.
 */
public final class RedisWakeups implements Wakeups {
    private static final Logger LOG = LoggerFactory.getLogger(RedisWakeups.class);
    /** All nodes listen to all of them: for now this only keeps the layout open for those that listen to fewer. */
    private static final int PLACES = 8;

    private static final Duration PACE = Duration.ofMillis(1);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);
    private static final Duration TRY_AGAIN = Duration.ofSeconds(1);
    /** Messages that a stuck server has not answered; more are refused. */
    private static final int MAX_UNANSWERED = 1_000;

    private final RedisSettings settings;
    private final ClientResources resources;
    private final RedisClient client;
    private volatile Consumer<String> heard = text -> {};
    private @Nullable StatefulRedisConnection<String, String> telling;
    private @Nullable StatefulRedisPubSubConnection<String, String> listening;
    private long triedAt = System.nanoTime() - TRY_AGAIN.toNanos();

    public RedisWakeups(RedisSettings settings) {
        this.settings = settings;
        RedisURI address = RedisURI.create(settings.url());
        address.setTimeout(ANSWER_LIMIT);
        address.setClientName("parley");
        this.resources = DefaultClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .reconnectDelay(
                        Delay.fullJitter(Duration.ofMillis(20), Duration.ofSeconds(1), 50, TimeUnit.MILLISECONDS))
                .build();
        this.client = RedisClient.create(resources, address);
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .requestQueueSize(MAX_UNANSWERED)
                .maintNotificationsConfig(MaintNotificationsConfig.disabled())
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(ANSWER_LIMIT)
                        .keepAlive(true)
                        .build())
                .sslOptions(ssl(settings))
                .build());
    }

    private static SslOptions ssl(RedisSettings settings) {
        SslOptions.Builder options = SslOptions.builder().jdkSslProvider().handshakeTimeout(ANSWER_LIMIT);
        return settings.authority() == null
                ? options.build()
                : options.trustManager(settings.authority().toFile()).build();
    }

    @Override
    public int places() {
        return PLACES;
    }

    @Override
    public Duration pace() {
        return PACE;
    }

    @Override
    public void join(Consumer<String> listener) {
        heard = listener;
    }

    @Override
    public void carry(List<Message> messages) throws IOException, TimeoutException {
        StatefulRedisConnection<String, String> connection = connected();
        Future<?>[] answers = messages.stream()
                .map(message -> connection.async().publish(channel(message.place()), message.text()))
                .toArray(Future<?>[]::new);
        if (!LettuceFutures.awaitAll(ANSWER_LIMIT, answers)) {
            throw new TimeoutException("Redis does not answer");
        }
    }

    private String channel(int place) {
        return settings.prefix() + "wakeups:" + place;
    }

    private StatefulRedisConnection<String, String> connected() throws IOException {
        if (telling == null || listening == null) {
            if (System.nanoTime() - triedAt < TRY_AGAIN.toNanos()) {
                throw new IOException("Redis cannot be reached");
            }
            triedAt = System.nanoTime();
            try {
                connect();
            } catch (RuntimeException half) {
                // One that is connected and not subscribed would hear nothing for ever.
                reset();
                throw half;
            }
        }
        StatefulRedisConnection<String, String> known = telling;
        if (known == null) {
            throw new IOException("Redis cannot be reached");
        }
        return known;
    }

    private void connect() {
        if (listening == null) {
            StatefulRedisPubSubConnection<String, String> fresh = client.connectPubSub();
            listening = fresh;
            fresh.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(String channel, String message) {
                    heard.accept(message);
                }
            });
            fresh.sync()
                    .subscribe(
                            IntStream.range(0, PLACES).mapToObj(this::channel).toArray(String[]::new));
        }
        if (telling == null) {
            telling = client.connect();
        }
    }

    @Override
    public void reset() {
        drop(telling);
        drop(listening);
        telling = null;
        listening = null;
    }

    private static void drop(@Nullable StatefulConnection<String, String> connection) {
        if (connection != null) {
            try {
                connection.close();
            } catch (RuntimeException gone) {
                LOG.debug("A connection was gone already: {}", gone.toString());
            }
        }
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, ANSWER_LIMIT);
        Future<Boolean> ended = resources.shutdown(0, ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        try {
            ended.get(ANSWER_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (Exception late) {
            LOG.debug("Some threads of the Redis client end later: {}", late.toString());
        }
    }
}
