package dev.parley.platforms.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.chat.LocalApi;
import dev.parley.testkit.chat.LocalApi.Fault;
import dev.parley.testkit.chat.ScriptedRelay;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A whole server with a relay: messages come in with its key, and answers go to its URL. */
class RelayServerTest {
    private static final String SECRET = "a signing secret of the server, long enough";
    private static final String KEY = "a configured key of telegram";
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static ScriptedRelay relay;
    private static RunningServer server;

    @BeforeAll
    static void start() throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(UTF_8), "HmacSHA256"));
        relay = new ScriptedRelay(mac.doFinal("relay/telegram".getBytes(UTF_8)), Clock.systemUTC());
        server = RunningServer.start(
                "--operators",
                UUID.randomUUID().toString(),
                "--signing-secret",
                SECRET,
                "--integration-keys",
                "telegram=" + KEY,
                "--relay-urls",
                "telegram=" + relay.url());
    }

    @AfterAll
    static void stop() {
        server.close();
        relay.close();
    }

    private static void bring(String channel, String text) {
        Api.Reply reply = server.api(KEY).post("/api/v1/ingest/chat", """
            {"message": "%s", "msg_metadata": {"source": "telegram", "sender_id": "telegram:7",
             "sender_display_name": "Olivia", "sender_type": "human", "workspace_id": "w",
             "channel_external_id": "%s", "external_message_id": "1"}}\
            """.formatted(text, channel));
        assertThat(reply.status()).as(reply.toString()).isEqualTo(202);
    }

    private static List<ScriptedRelay.Taken> taken(String channel) {
        return relay.taken().stream()
                .filter(taken -> taken.body().path("channel").asString().equals(channel))
                .toList();
    }

    @Test
    void answerGoesToTheChannelOfItsQuestion() {
        bring("c-1", "早上好");

        await().atMost(LIMIT).until(() -> !taken("c-1").isEmpty());
        assertThat(taken("c-1")).singleElement().satisfies(taken -> {
            assertThat(taken.body().path("source").asString()).isEqualTo("telegram");
            assertThat(taken.body().path("workspace").asString()).isEqualTo("w");
            assertThat(taken.body().path("text").asString()).isNotBlank();
            assertThat(taken.body().has("thread")).isFalse();
        });
    }

    @Test
    void failingRelayIsRetriedAndDeliversOnce() {
        relay.api().fail("/out", new Fault.LoseAnswer());
        relay.api().fail("/out", new Fault.Instead(LocalApi.Answer.json(500, "")));
        bring("c-2", "Hello.");

        await().atMost(LIMIT).until(() -> server.count("""
            select count(*) from deliveries d join destinations t using (destination_id)
            where t.channel = 'c-2' and d.state = 'sent'\
            """) == 1);
        assertThat(taken("c-2")).hasSize(1);
    }
}
