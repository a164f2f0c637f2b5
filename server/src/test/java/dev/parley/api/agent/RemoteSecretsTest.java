package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import dev.parley.testing.Api;
import dev.parley.testing.CapturedLog;
import dev.parley.testing.RunningServer;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** Only operators may register agents that call out, and only they see those agents' secrets. */
class RemoteSecretsTest {
    private static final String SECRET = "hunter2-hunter2-hunter2";
    private static final Map<String, Object> HEADERS =
            Map.of("headers", Map.of("Authorization", "Bearer ${secret:AGNO_TOKEN}", "X-Plain", "as it is"));
    private static final UUID FORMER = UUID.randomUUID();

    @AutoClose
    private static final RunningServer server = RunningServer.start(
            "--rate-limits",
            "off",
            "--log-level",
            "debug",
            "--operators",
            RemoteFixture.OPERATOR.toString(),
            "--secret-agno-token",
            SECRET);

    @Test
    void secretsArriveAndAreNeverShown() {
        try (CapturedLog log = new CapturedLog(Logger.ROOT_LOGGER_NAME);
                RemoteFixture far = RemoteFixture.register(server, HEADERS)) {
            far.remote()
                    .says("{\"type\":\"RUN_ERROR\",\"message\":\"Bearer " + SECRET + " is not known\"}")
                    .then((request, answer) -> answer.status(401, SECRET));
            String ended = far.failure("r").toString() + far.failure("r2");
            assertThat(far.remote().requests()).allSatisfy(request -> {
                assertThat(request.header("Authorization")).isEqualTo("Bearer " + SECRET);
                assertThat(request.header("X-plain")).isEqualTo("as it is");
                assertThat(request.body().toString()).doesNotContain(SECRET);
            });
            Api root = server.api(RemoteFixture.OPERATOR, "Root");
            String shown = root.get("/api/v1/owner/agents/" + far.agent()).toString();
            assertThat(shown).contains("${secret:AGNO_TOKEN}");
            String rows = String.join("\n", server.select("select row_to_json(a)::text from agents a"))
                    + String.join("\n", server.select("select row_to_json(r)::text from runs r"))
                    + String.join("\n", server.select("select row_to_json(e)::text from events e"));
            String lines = String.join("\n", log.lines())
                    + log.events().stream()
                            .map(event -> event.getThrowableProxy() == null
                                    ? ""
                                    : ThrowableProxyUtil.asString(event.getThrowableProxy()))
                            .toList();
            assertThat(rows).contains("${secret:AGNO_TOKEN}");
            assertThat(lines).contains("remote_status");
            assertThat(ended + shown + rows + lines + far.caller().messages(far.thread()))
                    .doesNotContain(SECRET);
        }
    }

    @Test
    void onlyOperatorsRegisterAndChangeThem() {
        Api somebody = server.api(UUID.randomUUID(), "Somebody");
        Api.Reply refused = RemoteFixture.register(somebody, "https://agents.example.org/", Map.of());
        assertThat(refused.problem()).contains("forbidden");
        assertThat(refused.text("detail")).isEqualTo("Only an operator may register agents of kind agui.");

        try (RemoteFixture far = RemoteFixture.register(server, Map.of())) {
            String path = "/api/v1/owner/agents/" + far.agent();
            // A former operator still owns the agent.
            server.execute("update agents set owner = 'user:" + FORMER + "' where agent_id = '" + far.agent() + "'");
            Api former = server.api(FORMER, "Former");
            for (String change : new String[] {"{\"display_name\":\"x\"}", "{\"config\":{\"url\":\"http://x/\"}}"}) {
                Api.Reply late = former.patch(path, change);
                assertThat(late.problem()).contains("forbidden");
                assertThat(late.text("detail")).isEqualTo("Only an operator may change agents of kind agui.");
            }
            assertThat(former.get(path).status()).isEqualTo(200);
            assertThat(former.delete(path).status()).isEqualTo(200);
        }
    }

    @Test
    void aConfigurationIsCheckedWhenItIsMadeAndWhenItIsChanged() {
        Api root = server.api(RemoteFixture.OPERATOR, "Root");
        Api.Reply unknown = RemoteFixture.register(
                root, "https://agents.example.org/", Map.of("headers", Map.of("X-A", "${secret:GONE}")));
        assertThat(unknown.problem()).contains("invalid-fields");
        assertThat(unknown.json().at("/errors/0/field").asString()).isEqualTo("config.headers.X-A");
        Api.Reply literal = RemoteFixture.register(
                root, "https://agents.example.org/", Map.of("headers", Map.of("Authorization", "Bearer " + SECRET)));
        assertThat(literal.json().at("/errors/0/field").asString()).isEqualTo("config.headers.Authorization");
        assertThat(literal.toString()).doesNotContain(SECRET);

        try (RemoteFixture far = RemoteFixture.register(server, Map.of())) {
            String path = "/api/v1/owner/agents/" + far.agent();
            Api.Reply changed = root.patch(path, "{\"config\":{\"url\":\"ftp://x/\"}}");
            assertThat(changed.json().at("/errors/0/field").asString()).isEqualTo("config.url");
            assertThat(root.patch(path, "{\"display_name\":\"Further\"}").text("display_name"))
                    .isEqualTo("Further");
            assertThat(root.patch(path, "{\"config\":{\"url\":\"" + far.remote().url() + "?v=2\"}}")
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void aSecretThatHasGoneFailsTheRun() {
        try (RemoteFixture far = RemoteFixture.register(server, Map.of())) {
            server.execute("update agents set config = json_build_object('url', config->>'url', 'headers',"
                    + " json_build_object('Authorization', 'Bearer ${secret:GONE}')) where agent_id = '"
                    + far.agent() + "'");
            assertThat(far.failure("r").get("code").asString()).isEqualTo("agent_misconfigured");
            assertThat(far.remote().requests()).isEmpty();
            server.execute("update agents set config = '{}' where agent_id = '" + far.agent() + "'");
            assertThat(far.failure("r2").get("code").asString()).isEqualTo("agent_misconfigured");
        }
    }
}
