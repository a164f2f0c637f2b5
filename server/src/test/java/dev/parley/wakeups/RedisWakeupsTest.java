package dev.parley.wakeups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.ThreadId;
import dev.parley.testkit.TestCertificate;
import dev.parley.testkit.TestRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisWakeupsTest extends ServedWakeupsContract {
    private static final String PREFIX = "parley:";
    /** The rights that the server has to grant. */
    private static final String[] MIN_RIGHTS = {
        "--user",
        "default",
        "off",
        "--user",
        "parley",
        "on",
        ">open:sesame@1",
        "resetchannels",
        "&parley:wakeups:*",
        "+publish",
        "+subscribe"
    };

    private TestRedis redis;

    @BeforeEach
    void start() {
        redis = TestRedis.start();
    }

    @AfterEach
    void stop() {
        closeNodes();
        redis.close();
    }

    @Override
    Wakeups open() {
        return at(redis.uri().toString());
    }

    private static RedisWakeups at(String url) {
        return new RedisWakeups(new RedisSettings(url, PREFIX, null));
    }

    @Override
    void sendForeign(String text) {
        RedisClient client = RedisClient.create(redis.uri().toString());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            for (int place = 0; place < 8; place++) {
                connection.sync().publish(PREFIX + "wakeups:" + place, text);
            }
        } finally {
            client.shutdown();
        }
    }

    @Override
    void takeAway() {
        redis.kill();
    }

    @Override
    void bringBack() {
        redis.restart();
    }

    @Override
    void pause() {
        redis.pause();
    }

    @Override
    void resume() {
        redis.resume();
    }

    @Override
    int connections() {
        RedisClient client = RedisClient.create(redis.uri().toString());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return (int) connection
                    .sync()
                    .clientList()
                    .lines()
                    .filter(line -> line.contains(" name=parley "))
                    .count();
        } finally {
            client.shutdown();
        }
    }

    @Test
    void anEmptiedServerCarriesOn() {
        try (TestNode one = node();
                TestNode other = node()) {
            await().atMost(LIMIT)
                    .until(() -> one.bus().peers() == 1 && other.bus().peers() == 1);
            redis.flush();
            ThreadId thread = ThreadId.fresh();
            one.send(thread, 1);
            awaitHint(other, thread, 1);
        }
    }

    @Test
    void otherPrefixIsAnotherBus() {
        try (TestNode one = node();
                TestNode other = node();
                TestNode elsewhere = new TestNode(
                        new RedisWakeups(new RedisSettings(redis.uri().toString(), "another:", null)))) {
            await().atMost(LIMIT).until(() -> one.bus().peers() == 1 && elsewhere.pulses() > 0);
            ThreadId thread = ThreadId.fresh();
            one.send(thread, 1);
            awaitHint(other, thread, 1);
            assertThat(elsewhere.bus().peers()).isZero();
        }
    }

    @Test
    void aUserNeedsNoRightsButThoseOfTheChannels() {
        try (TestRedis guarded = TestRedis.start(MIN_RIGHTS);
                TestNode one = new TestNode(at("redis://parley:open%3Asesame%401@127.0.0.1:" + guarded.port()));
                TestNode other = new TestNode(at("redis://parley:open%3Asesame%401@127.0.0.1:" + guarded.port()))) {
            await().atMost(LIMIT)
                    .until(() -> one.bus().peers() == 1 && other.bus().peers() == 1);
            awaitUntilReceived(one, other);
        }
    }

    @Test
    void aWrongPasswordIsALateBus() {
        try (TestRedis guarded = TestRedis.start("--requirepass", "right");
                TestNode right = new TestNode(at("redis://:right@127.0.0.1:" + guarded.port()));
                TestNode wrong = new TestNode(at("redis://:wrong@127.0.0.1:" + guarded.port()))) {
            await().atMost(LIMIT).until(() -> right.pulses() > 0 && wrong.bus().isLate());
            wrong.send(ThreadId.fresh(), 1);
            assertThat(right.bus().isLate()).isFalse();
            assertThat(right.bus().peers()).isZero();
        }
    }

    @Test
    void serverIsReachedByTlsIfItsCertificateIsTrusted(@TempDir Path folder) throws Exception {
        TestCertificate certificate = TestCertificate.in(folder);
        try (TestRedis guarded = TestRedis.startWithTls(certificate);
                TestNode one = new TestNode(trusting(guarded, certificate.chain()));
                TestNode other = new TestNode(trusting(guarded, certificate.chain()));
                TestNode distrustful = new TestNode(at(guarded.uri().toString()))) {
            await().atMost(LIMIT)
                    .until(() -> one.bus().peers() == 1 && other.bus().peers() == 1);
            awaitUntilReceived(one, other);
            await().atMost(LIMIT).until(() -> distrustful.bus().isLate());
        }
    }

    private static RedisWakeups trusting(TestRedis redis, Path authority) {
        return new RedisWakeups(new RedisSettings(redis.uri().toString(), PREFIX, authority));
    }
}
