package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A user who requests a code here and sends it on a platform is linked to that platform's account. */
class IdentityLinkTest {
    private static final String LINKS = "/api/v1/auth/identity-links";

    @AutoClose
    private static final RunningServer server = Relay.start();

    private static final Relay slack = Relay.of(server, "slack");

    private Relay relay;
    private UUID user;
    private Api ada;
    private String sender;

    @BeforeEach
    void newUser() {
        relay = slack.elsewhere();
        user = UUID.randomUUID();
        ada = server.api(user, "Ada");
        sender = "slack:U" + UUID.randomUUID();
    }

    private JsonNode begin(String more) {
        Api.Reply reply = ada.post(LINKS, "{\"source\":\"slack\"" + more + "}");
        assertThat(reply.status()).as(reply.toString()).isEqualTo(201);
        return reply.json();
    }

    private String say(String text) {
        return relay.bring(Relay.body(text, relay.metadata().put("sender_id", sender)))
                .path("engagement")
                .path("reason")
                .asString();
    }

    private JsonNode links() {
        return ada.get(LINKS).json().path("links");
    }

    @Test
    void sentCodeMakesTheLink() {
        JsonNode begun = begin("");
        assertThat(begun.path("code").asString()).hasSize(8);
        assertThat(links().get(0).path("state").asString()).isEqualTo("pending");
        assertThat(links().get(0).path("code").isNull()).isTrue();

        assertThat(say("  " + begun.path("message").asString().toLowerCase(Locale.ROOT) + "\n"))
                .isEqualTo("identity_link");

        assertThat(links()).hasSize(1);
        assertThat(links().get(0).path("state").asString()).isEqualTo("linked");
        assertThat(links().get(0).path("sender_id").asString()).isEqualTo(sender);
        assertThat(server.count("select count(*) from identity_links where code_hash = convert_to('"
                        + begun.path("code").asString() + "', 'UTF8')"))
                .isZero();
    }

    @Test
    void repeatedRequestBeginsOneLink() {
        String wish = "{\"source\":\"slack\"}";
        Api.Reply first = ada.post(LINKS, wish, "Idempotency-Key: link-1");
        Api.Reply again = ada.post(LINKS, wish, "Idempotency-Key: link-1");

        assertThat(first.status()).isEqualTo(201);
        assertThat(again.status()).as(again.toString()).isEqualTo(200);
        assertThat(again.text("link_id")).isEqualTo(first.text("link_id"));
        assertThat(again.json().path("code").isNull()).isTrue();
        assertThat(links()).hasSize(1);
        assertThat(ada.post(LINKS, "{\"source\":\"discord\"}", "Idempotency-Key: link-1")
                        .problem())
                .contains("key-reused");
        assertThat(say(first.text("message"))).isEqualTo("identity_link");
    }

    @Test
    void traceShowsTheLinkedUser() {
        say(begin("").path("message").asString());
        String id = UUID.randomUUID().toString();
        relay.bring(
                Relay.body("hello", relay.metadata().put("sender_id", sender).put("external_message_id", id)));

        JsonNode trace = slack.api()
                .get("/api/v1/integrations/messages?source=slack&external_message_id=" + id)
                .json()
                .path("traces")
                .get(0);

        assertThat(trace.path("linked_user").asString()).isEqualTo("user:" + user);
    }

    @Test
    void codeIsValidForTheNamedSenderOnly() {
        JsonNode begun = begin(",\"sender_id\":\"" + sender + "\"");
        String right = sender;
        sender = "slack:U" + UUID.randomUUID();
        assertThat(say(begun.path("message").asString())).isEqualTo("identity_link_refused");
        sender = right;
        assertThat(say(begun.path("message").asString())).isEqualTo("identity_link");
    }

    @Test
    void guessesAreLimited() {
        for (int i = 0; i < 5; i++) {
            assertThat(say("parley link AAAAAAA" + (i + 2))).isEqualTo("identity_link_refused");
        }
        assertThat(say(begin("").path("message").asString())).isEqualTo("identity_link_refused");
    }

    @Test
    void codeExpires() {
        JsonNode begun = begin("");
        server.execute("update identity_links set expires_at = now() - interval '1 second' where link_id = '"
                + begun.path("link_id").asString() + "'");

        assertThat(say(begun.path("message").asString())).isEqualTo("identity_link_refused");
        assertThat(links()).isEmpty();
    }

    @Test
    void codeOfABotIsIgnored() {
        String message = begin("").path("message").asString();
        relay.bring(
                Relay.body(message, relay.metadata().put("sender_id", sender).put("sender_type", "bot")));

        assertThat(links().get(0).path("state").asString()).isEqualTo("pending");
    }

    @Test
    void codeWithinALongerTextIsIgnored() {
        assertThat(say("please " + begin("").path("message").asString())).isEqualTo("open");
    }

    @Test
    void senderIsOneUserUntilTheLinkIsRemoved() {
        say(begin("").path("message").asString());
        String link = links().get(0).path("link_id").asString();
        Api first = ada;
        ada = server.api(UUID.randomUUID(), "Eve");
        String message = begin("").path("message").asString();
        assertThat(say(message)).isEqualTo("identity_link_refused");

        assertThat(ada.delete(LINKS + "/" + link).problem()).contains("link-not-found");
        assertThat(ada.delete(LINKS + "/nonsense").problem()).contains("link-not-found");
        assertThat(first.delete(LINKS + "/" + link).status()).isEqualTo(204);
        assertThat(say(message)).isEqualTo("identity_link");
    }

    @Test
    void invalidFieldIsNamed() {
        assertThat(ada.post(LINKS, "{}").toString()).startsWith("400").contains("source");
        assertThat(ada.post(LINKS, "{\"source\":\"user\"}").toString()).startsWith("400");
        assertThat(ada.post(LINKS, "{\"source\":\"slack\",\"sender_id\":\"discord:1\"}")
                        .toString())
                .startsWith("400")
                .contains("sender_id");
        assertThat(slack.api().post(LINKS, "{\"source\":\"slack\"}").status()).isEqualTo(403);
    }
}
