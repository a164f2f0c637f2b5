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
 * Carries messages by publish and subscribe on a Redis or Valkey server. While the server is unreachable, messages are
 * refused and not kept, because all nodes poll in the meantime. This class opens the first connections, and the client
 * replaces broken connections.
 */
public final class RedisWakeups implements Wakeups {
    private static final Logger LOG = LoggerFactory.getLogger(RedisWakeups.class);
    /**
     * The number of subjects, each with its own channel. All nodes listen to all subjects. There are several subjects
     * only because nodes of a later version may listen to fewer of them.
     */
    private static final int SUBJECTS = 8;

    private static final Duration PACE = Duration.ofMillis(1);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);
    /** The maximum number of messages that a stuck server has not answered; further messages are refused. */
    private static final int MAX_UNANSWERED = 1_000;

    private final RedisSettings settings;
    private final ClientResources resources;
    private final RedisClient client;
    private volatile Consumer<String> receiver = text -> {};
    private @Nullable StatefulRedisConnection<String, String> publishing;
    private @Nullable StatefulRedisPubSubConnection<String, String> listening;
    private long triedAt = System.nanoTime() - RETRY_INTERVAL.toNanos();

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
    public int subjects() {
        return SUBJECTS;
    }

    @Override
    public Duration pace() {
        return PACE;
    }

    @Override
    public void join(Consumer<String> listener) {
        receiver = listener;
    }

    @Override
    public void carry(List<Message> messages) throws IOException, TimeoutException {
        StatefulRedisConnection<String, String> connection = connected();
        Future<?>[] answers = messages.stream()
                .map(message -> connection.async().publish(channel(message.subject()), message.text()))
                .toArray(Future<?>[]::new);
        if (!LettuceFutures.awaitAll(ANSWER_LIMIT, answers)) {
            throw new TimeoutException("Redis does not answer");
        }
    }

    private String channel(int subject) {
        return settings.prefix() + "wakeups:" + subject;
    }

    private StatefulRedisConnection<String, String> connected() throws IOException {
        if (publishing == null || listening == null) {
            if (System.nanoTime() - triedAt < RETRY_INTERVAL.toNanos()) {
                throw new IOException("Redis cannot be reached");
            }
            triedAt = System.nanoTime();
            try {
                connect();
            } catch (RuntimeException half) {
                // A client that is connected but not subscribed would never receive a message.
                reset();
                throw half;
            }
        }
        StatefulRedisConnection<String, String> known = publishing;
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
                    receiver.accept(message);
                }
            });
            fresh.sync()
                    .subscribe(
                            IntStream.range(0, SUBJECTS).mapToObj(this::channel).toArray(String[]::new));
        }
        if (publishing == null) {
            publishing = client.connect();
        }
    }

    @Override
    public void reset() {
        drop(publishing);
        drop(listening);
        publishing = null;
        listening = null;
    }

    private static void drop(@Nullable StatefulConnection<String, String> connection) {
        if (connection != null) {
            try {
                connection.close();
            } catch (RuntimeException gone) {
                LOG.debug("Could not close a connection to Redis: {}", gone.toString());
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
            LOG.debug("Threads of the Redis client did not end in time; they end later: {}", late.toString());
        }
    }
}
