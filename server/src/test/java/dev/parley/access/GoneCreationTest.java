package dev.parley.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.face.docs.ApiDocument;
import dev.parley.protocol.Json;
import dev.parley.testing.ApiSchemas;
import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A creation repeated by its {@code Idempotency-Key} after its object was deleted answers 404, as the document says.
 */
class GoneCreationTest {
    private static final ApiDocument DOCUMENT = ApiDocument.load();
    private static final ApiSchemas SCHEMAS = new ApiSchemas(DOCUMENT);

    private static RunningServer server;
    private static Calls api;
    private static String operator;
    private static String agent;
    private static String thread;

    @BeforeAll
    static void start() {
        UUID id = UUID.randomUUID();
        server = RunningServer.start("--operators", id.toString(), "--outbound-allow", "127.0.0.1:9");
        api = new Calls(server.uri());
        operator = server.token(id, "Olivia");
        agent = api.must("POST", "/api/v1/owner/agents", operator, Map.of("display_name", "Builder"))
                .path("agent_id")
                .asString();
        thread = api.must("POST", "/api/v1/chat/threads", operator, Map.of())
                .path("thread_id")
                .asString();
    }

    @AfterAll
    static void stop() {
        api.close();
        server.close();
    }

    /** @param id the member of the response that names the object */
    record Creation(String operation, String id, Map<String, Object> body) {}

    static List<Creation> creations() {
        return List.of(
                new Creation("createThread", "thread_id", Map.of("title", "中文 👋")),
                new Creation("createAgent", "agent_id", Map.of("display_name", "عامل")),
                new Creation("createToken", "token_id", Map.of("agent_actor_id", "{agent}")),
                new Creation("createIntegrationKey", "key_id", Map.of("source", "relay")),
                new Creation("beginIdentityLink", "link_id", Map.of("source", "slack")),
                new Creation("createWebhook", "webhook_id", Map.of("callback_url", World.NOBODYS_URL)));
    }

    @ParameterizedTest
    @MethodSource("creations")
    void repeatedCreationOfGoneObjectAnswers404(Creation creation) {
        ApiDocument.Operation operation = DOCUMENT.operations()
                .filter(each -> each.id().equals(creation.operation()))
                .findFirst()
                .orElseThrow();
        String path = operation.path().replace("{thread_id}", thread);
        String body = Json.MAPPER.writeValueAsString(creation.body()).replace("{agent}", agent);

        Calls.Got made = api.call("POST", path, operator, body, "Idempotency-Key", creation.operation());
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        api.must("DELETE", path + "/" + made.json().path(creation.id()).asString(), operator, "");
        Calls.Got repeated = api.call("POST", path, operator, body, "Idempotency-Key", creation.operation());

        assertThat(repeated.status()).as(repeated.toString()).isEqualTo(404);
        assertThat(SCHEMAS.faults(operation, repeated.status(), repeated.contentType(), repeated.body()))
                .isEmpty();
    }
}
