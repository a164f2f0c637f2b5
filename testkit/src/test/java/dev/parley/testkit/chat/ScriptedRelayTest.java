package dev.parley.testkit.chat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testkit.TestClock;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ScriptedRelayTest {
    private static final byte[] KEY = "a shared key".getBytes(UTF_8);

    private final HttpClient client = HttpClient.newHttpClient();
    private final TestClock clock = TestClock.at(Instant.parse("2026-08-12T09:00:00Z"));
    private final ScriptedRelay relay = new ScriptedRelay(KEY, clock);

    @AfterEach
    void end() {
        client.close();
        relay.close();
    }

    private int post(String marker, String channel, byte[] key)
            throws IOException, InterruptedException, GeneralSecurityException {
        String body = "{\"marker\":\"" + marker + "\",\"channel\":\"" + channel + "\",\"text\":\"Hello\"}";
        String time = Long.toString(clock.instant().getEpochSecond());
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        String signature = "v1,"
                + Base64.getEncoder().encodeToString(mac.doFinal((marker + "." + time + "." + body).getBytes(UTF_8)));
        return client.send(
                        HttpRequest.newBuilder(relay.url())
                                .header("Idempotency-Key", marker)
                                .header("webhook-id", marker)
                                .header("webhook-timestamp", time)
                                .header("webhook-signature", "v1,former " + signature)
                                .POST(BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString())
                .statusCode();
    }

    @Test
    void takesAMarkerOnce() throws Exception {
        assertThat(post("m1", "c", KEY)).isEqualTo(200);
        assertThat(post("m1", "c", KEY)).isEqualTo(200);
        assertThat(post("m2", "c", KEY)).isEqualTo(200);
        assertThat(relay.taken()).extracting(ScriptedRelay.Taken::externalId).containsExactly("ext-1", "ext-2");
    }

    @Test
    void wantsTheSignatureOfItsKey() throws Exception {
        assertThat(post("m1", "c", "another key".getBytes(UTF_8))).isEqualTo(401);
        assertThat(relay.taken()).isEmpty();
    }

    @Test
    void refusesAndPutsOff() throws Exception {
        assertThat(post("m1", ScriptedRelay.NOWHERE, KEY)).isEqualTo(404);
        relay.closeFor(Duration.ofSeconds(3));
        assertThat(post("m1", "c", KEY)).isEqualTo(429);
        clock.advance(Duration.ofSeconds(3));
        assertThat(post("m1", "c", KEY)).isEqualTo(200);
    }
}
