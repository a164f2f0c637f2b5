package dev.parley.auth;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The operators, the calls that need one, and the audit of those calls. */
class OperatorTest {
    private static final String KEYS = "/api/v1/operator/integration-keys";
    private static final String AUDIT = "/api/v1/operator/audit";
    private static final UUID NAMED = UUID.randomUUID();
    private static final JWK SECRET = new OctetSequenceKey.Builder(
                    "the secret of the operators' tests, long enough".getBytes(StandardCharsets.UTF_8))
            .build();

    @AutoClose
    private static final RunningServer server = RunningServer.start(
            "--jwt-secret",
            "the secret of the operators' tests, long enough",
            "--operators",
            "user:" + NAMED,
            "--operator-claim",
            "role=admin",
            "--limit-page",
            "3");

    private static final Api operator = server.api(NAMED, "Root");
    private static final Api olivia = server.api(UUID.randomUUID(), "Olivia");

    private static Api withRole(@Nullable Object role) {
        return server.api(KeyProvider.sign(
                JWSAlgorithm.HS256,
                SECRET,
                null,
                KeyProvider.claims(UUID.randomUUID()).claim("role", role).build()));
    }

    @Test
    void theClaimMakesAnOperatorAsATextAndInAList() {
        assertThat(withRole("admin").get(AUDIT).status()).isEqualTo(200);
        assertThat(withRole(List.of("member", "admin")).get(AUDIT).status()).isEqualTo(200);
    }

    @Test
    void aSimilarClaimMakesNoOperator() {
        for (Object role : new Object[] {
            "administrator",
            "Admin",
            "admin ",
            "",
            7,
            true,
            List.of(),
            List.of("adm", "in"),
            List.of(List.of("admin")),
            java.util.Map.of("admin", true)
        }) {
            assertThat(withRole(role).get(AUDIT).status()).as(role.toString()).isEqualTo(403);
        }
        assertThat(withRole(null).get(AUDIT).status()).isEqualTo(403);
    }

    @Test
    void otherCallersAreRefusedOnOperatorRoutes() {
        String agent = olivia.post("/api/v1/owner/agents", "{}").text("agent_id");
        String token = olivia.post("/api/v1/owner/external-agents/tokens", "{\"agent_actor_id\":\"" + agent + "\"}")
                .text("raw_token");
        String key = operator.post(KEYS, "{\"source\":\"relay\"}").text("raw_key");
        for (Api caller : List.of(olivia, server.api(token), server.api(key))) {
            assertThat(caller.get(KEYS).problem()).contains("forbidden");
            assertThat(caller.get(AUDIT).problem()).contains("forbidden");
            assertThat(caller.post(KEYS, "{\"source\":\"relay\"}").problem()).contains("forbidden");
            assertThat(caller.delete(KEYS + "/" + UUID.randomUUID()).problem()).contains("forbidden");
        }
        assertThat(server.api(null).get(AUDIT).problem()).contains("unauthenticated");
    }

    @Test
    void everyActIsAudited() {
        Api.Reply made = operator.post(KEYS, "{\"source\":\"discord\"}");
        assertThat(made.status()).isEqualTo(201);
        operator.delete(KEYS + "/" + made.text("key_id"));
        assertThat(operator.delete(KEYS + "/" + made.text("key_id")).problem()).contains("token-not-found");
        JsonNode acts = operator.get(AUDIT).json().get("acts");
        assertThat(acts.get(0).get("action").asString()).isEqualTo("integration_key.revoked");
        assertThat(acts.get(0).get("subject").asString()).isEqualTo(made.text("key_id"));
        assertThat(acts.get(1).get("action").asString()).isEqualTo("integration_key.created");
        assertThat(acts.get(1).get("subject").asString()).isEqualTo("discord " + made.text("key_id"));
        assertThat(acts.get(1).get("sender_id").asString()).isEqualTo("user:" + NAMED);
        assertThat(acts.toString()).doesNotContain(made.text("raw_key"));
    }

    @Test
    void theAuditIsReadPageByPage() {
        for (int i = 0; i < 4; i++) {
            operator.post(KEYS, "{\"source\":\"paged\"}");
        }
        Api.Reply first = operator.get(AUDIT);
        assertThat(first.json().get("acts")).hasSize(3);
        assertThat(first.json().get("has_more").asBoolean()).isTrue();
        long last = first.json().at("/acts/2/audit_id").asLong();
        Api.Reply second = operator.get(AUDIT + "?before=" + last);
        assertThat(second.json().at("/acts/0/audit_id").asLong()).isLessThan(last);
        assertThat(operator.get(AUDIT + "?before=1").json().get("acts")).isEmpty();
        for (String odd : List.of("x", "-1", "1.5", "9999999999999999999", "%20")) {
            assertThat(operator.get(AUDIT + "?before=" + odd).problem()).as(odd).contains("invalid-fields");
        }
        Api.Reply two = operator.get(AUDIT + "?limit=2");
        assertThat(two.json().get("acts")).hasSize(2);
        assertThat(two.json().get("has_more").asBoolean()).isTrue();
        assertThat(operator.get(AUDIT + "?limit=1000").json().get("acts")).hasSize(3);
        for (String odd : List.of("0", "-1", "x", "")) {
            Api.Reply answer = operator.get(AUDIT + "?limit=" + odd);
            assertThat(answer.problem()).as(odd).contains("invalid-fields");
            assertThat(answer.json().at("/errors/0/field").asString()).isEqualTo("limit");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "user",
                "agent",
                "system",
                "integration",
                "bb",
                "",
                "Slack",
                "my source",
                "1slack",
                "slack:x",
                "slack/..",
                "a23456789012345678901234567890123",
                "slück"
            })
    void aSourceMustBeAShortUnreservedName(String source) {
        Api.Reply answer = operator.post(KEYS, "{\"source\":\"" + source + "\"}");
        assertThat(answer.problem()).as(answer.toString()).contains("invalid-fields");
        assertThat(answer.json().at("/errors/0/field").asString()).isEqualTo("source");
    }

    @Test
    void aPrefixBelongsToOneSource() {
        assertThat(operator.post(KEYS, "{\"source\":\"bluebubbles\"}").status()).isEqualTo(201);
        assertThat(Sources.prefixOf("bluebubbles")).isEqualTo("bb");
        assertThat(Sources.sourceOf("bb")).isEqualTo("bluebubbles");
        assertThat(Sources.prefixOf("slack")).isEqualTo("slack");
        assertThat(Sources.sourceOf("slack")).isEqualTo("slack");
    }

    @Test
    void aSourceIsRequired() {
        assertThat(operator.post(KEYS, "{}").problem()).contains("invalid-fields");
    }

    @Test
    void aRepeatedCreationMakesNoKeyAndShowsNoSecretAgain() {
        String key = "Idempotency-Key: k-" + UUID.randomUUID();
        Api.Reply first = operator.post(KEYS, "{\"source\":\"twice\"}", key);
        Api.Reply again = operator.post(KEYS, "{\"source\":\"twice\"}", key);
        assertThat(first.status()).isEqualTo(201);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.text("key_id")).isEqualTo(first.text("key_id"));
        assertThat(again.json().get("raw_key").isNull()).isTrue();
        assertThat(operator.post(KEYS, "{\"source\":\"other\"}", key).problem()).contains("key-reused");
        assertThat(server.select("select subject from audit where subject like 'twice %'"))
                .hasSize(1);
    }
}
