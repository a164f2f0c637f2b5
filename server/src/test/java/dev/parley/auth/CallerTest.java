package dev.parley.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** {@code /auth/me} for each kind of caller. */
class CallerTest {
    private static final UUID OPERATOR = UUID.randomUUID();

    @AutoClose
    private static final RunningServer server = RunningServer.start(
            "--operators", OPERATOR.toString(), "--integration-keys", "slack=a-key-of-the-slack-relay");

    private static JsonNode me(Api api) {
        Api.Reply answer = api.get("/api/v1/auth/me");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.json();
    }

    private static JsonNode expected(String json) {
        return Json.MAPPER.readTree(json.replace('\'', '"'));
    }

    @Test
    void aUserHasAllScopes() {
        UUID olivia = UUID.randomUUID();
        assertThat(me(server.api(olivia, "Olivia")))
                .isEqualTo(expected("{'sender_id':'user:" + olivia + "','kind':'user','display_name':'Olivia',"
                        + "'is_operator':false,'scopes':['observe','speak','run','manage_thread']}"));
    }

    @Test
    void anOperatorIsAUserWhoIsNamedInTheSettings() {
        assertThat(me(server.api(OPERATOR, "Root")))
                .isEqualTo(expected("{'sender_id':'user:" + OPERATOR + "','kind':'user','display_name':'Root',"
                        + "'is_operator':true,'scopes':['observe','speak','run','manage_thread']}"));
    }

    @Test
    void anAgentHasTheScopesOfItsToken() {
        Api olivia = server.api(UUID.randomUUID(), "Olivia");
        String agent = olivia.post("/api/v1/owner/agents", "{\"display_name\":\"Robin\"}")
                .text("agent_id");
        String token = olivia.post("/api/v1/owner/external-agents/tokens", "{\"agent_actor_id\":\"" + agent + "\"}")
                .text("raw_token");
        assertThat(me(server.api(token)))
                .isEqualTo(expected("{'sender_id':'agent:" + agent + "','kind':'agent','display_name':'Robin',"
                        + "'is_operator':false,'scopes':['observe','speak']}"));
    }

    @Test
    void anIntegrationReads() {
        assertThat(me(server.api("a-key-of-the-slack-relay")))
                .isEqualTo(expected("{'sender_id':'integration:slack','kind':'integration','display_name':'slack',"
                        + "'is_operator':false,'scopes':['observe']}"));
    }

    @Test
    void anUnauthenticatedCallIsRefused() {
        Api.Reply answer = server.api(null).get("/api/v1/auth/me");
        assertThat(answer.problem()).contains("unauthenticated");
        assertThat(answer.header("WWW-Authenticate")).contains("Bearer");
    }
}
