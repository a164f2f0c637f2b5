package dev.parley.agents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The owner's API of agents, and the right to add agents to threads. */
class OwnedAgentsTest {
    private static final String AGENTS = "/api/v1/owner/agents";
    private static final String THREADS = "/api/v1/chat/threads";
    private static final UUID OPERATOR = UUID.randomUUID();

    @AutoClose
    private static final RunningServer server =
            RunningServer.start("--rate-limits", "off", "--operators", OPERATOR.toString());

    private final Api olivia = server.api(UUID.randomUUID(), "Olivia");
    private final Api bob = server.api(UUID.randomUUID(), "Bob");

    private Api.Reply create(String body) {
        Api.Reply made = olivia.post(AGENTS, body);
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        return made;
    }

    private static JsonNode without(JsonNode agent, String... members) {
        var copy = (tools.jackson.databind.node.ObjectNode) agent.deepCopy();
        List.of(members).forEach(copy::remove);
        return copy;
    }

    @Test
    void agentIsExternalPrivateAndActiveByDefault() {
        Api.Reply made = create("{\"display_name\":\" Robin \"}");
        assertThat(without(made.json(), "agent_id", "sender_id", "created_at"))
                .isEqualTo(Json.MAPPER.readTree("{\"display_name\":\"Robin\",\"kind\":\"external\",\"config\":{},"
                        + "\"visibility\":\"private\",\"is_active\":true}"));
        assertThat(made.text("sender_id")).isEqualTo("agent:" + made.text("agent_id"));
        assertThat(olivia.get(AGENTS + "/" + made.text("agent_id")).json()).isEqualTo(made.json());
        assertThat(olivia.get(AGENTS).json().get("agents").get(0)).isEqualTo(made.json());
    }

    @Test
    void everyGivenValueIsKept() {
        String config = "{\"z\":1,\"a\":{\"deep\":[1.50,null,\"\\u00e9\"]}}";
        Api.Reply made = create("{\"display_name\":\"D\",\"kind\":\"demo\",\"visibility\":\"shared\","
                + "\"is_active\":false,\"config\":" + config + "}");
        assertThat(made.text("kind")).isEqualTo("demo");
        assertThat(made.text("visibility")).isEqualTo("shared");
        assertThat(made.json().get("is_active").asBoolean()).isFalse();
        assertThat(olivia.get(AGENTS + "/" + made.text("agent_id")).json().get("config"))
                .isEqualTo(Json.MAPPER.readTree(config));
    }

    @Test
    void changeAffectsTheGivenValuesOnly() {
        String path = AGENTS + "/"
                + create("{\"display_name\":\"Robin\",\"config\":{\"a\":1}}").text("agent_id");
        JsonNode before = olivia.get(path).json();
        assertThat(olivia.patch(path, "{}").json()).isEqualTo(before);
        Api.Reply changed = olivia.patch(path, "{\"visibility\":\"shared\"}");
        assertThat(without(changed.json(), "visibility")).isEqualTo(without(before, "visibility"));
        assertThat(changed.text("visibility")).isEqualTo("shared");
        changed = olivia.patch(path, "{\"display_name\":\"Alex\",\"config\":{},\"is_active\":false}");
        assertThat(changed.text("display_name")).isEqualTo("Alex");
        assertThat(changed.json().get("config")).isEmpty();
        assertThat(changed.json().get("is_active").asBoolean()).isFalse();
        assertThat(changed.text("visibility")).isEqualTo("shared");
        assertThat(olivia.patch(path, "{\"kind\":\"demo\"}").problem()).contains("invalid-fields");
        assertThat(olivia.patch(path, "{\"kind\":\"external\"}").status()).isEqualTo(200);
    }

    @Test
    void concurrentChangesOfDifferentValuesAllSucceed() throws Exception {
        String path = AGENTS + "/" + create("{}").text("agent_id");
        for (int round = 0; round < 10; round++) {
            int now = round;
            try (ExecutorService two = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<Api.Reply> name = two.submit(() -> olivia.patch(path, "{\"display_name\":\"N" + now + "\"}"));
                Future<Api.Reply> config = two.submit(() -> olivia.patch(path, "{\"config\":{\"n\":" + now + "}}"));
                assertThat(name.get().status()).isEqualTo(200);
                assertThat(config.get().status()).isEqualTo(200);
            }
            Api.Reply agent = olivia.get(path);
            assertThat(agent.text("display_name")).isEqualTo("N" + now);
            assertThat(agent.json().at("/config/n").asInt()).isEqualTo(now);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"display_name\":\"\"",
                "\"display_name\":\"a\\u0000\"",
                "\"display_name\":\"a\\nb\"",
                "\"display_name\":\"\\ud800\"",
                "\"display_name\":7",
                "\"display_name\":\"{201}\"",
                "\"kind\":\"robot\"",
                "\"kind\":\"DEMO\"",
                "\"visibility\":\"public\"",
                "\"is_active\":\"yes\"",
                "\"config\":[]",
                "\"config\":\"x\"",
                "\"config\":{\"x\":\"{16384}\"}"
            })
    void invalidValuesAreRefused(String member) {
        String body = "{" + member.replace("{201}", "x".repeat(201)).replace("{16384}", "x".repeat(16_384)) + "}";
        Api.Reply answer = olivia.post(AGENTS, body);
        assertThat(answer.problem()).as(answer.toString()).contains("invalid-fields");
        assertThat(answer.json().at("/errors/0/field").asString())
                .isEqualTo(member.substring(1, member.indexOf('"', 1)));
        String path = AGENTS + "/" + create("{}").text("agent_id");
        assertThat(olivia.patch(path, body).problem()).contains("invalid-fields");
    }

    @Test
    void aNameOfTwoHundredCharactersFits() {
        assertThat(create("{\"display_name\":\"" + "👋".repeat(200) + "\"}").text("display_name"))
                .isEqualTo("👋".repeat(200));
    }

    @Test
    void unstorableCharactersAreKeptInTheConfig() {
        Api.Reply made = create("{\"config\":{\"nul\":\"a\\u0000b\",\"half\":\"\\ud83d\"}}");
        Api.Reply read = olivia.get(AGENTS + "/" + made.text("agent_id"));
        assertThat(read.status()).as(read.toString()).isEqualTo(200);
        assertThat(read.json().at("/config/nul").asString()).isEqualTo("a\0b");
    }

    @ParameterizedTest
    @CsvSource({"model,config.provider", "agui,config.url"})
    void agentsWithOutgoingCallsNeedAnOperator(String kind, String lacking) {
        Api.Reply refused = olivia.post(AGENTS, "{\"kind\":\"" + kind + "\"}");
        assertThat(refused.problem()).contains("forbidden");
        assertThat(refused.text("detail")).contains("operator").contains(kind);
        Api.Reply later = server.api(OPERATOR, "Root").post(AGENTS, "{\"kind\":\"" + kind + "\"}");
        assertThat(later.problem()).contains("invalid-fields");
        assertThat(later.json().at("/errors/0/field").asString()).isEqualTo(lacking);
    }

    @Test
    void otherOwnersAgentIsNotFound() {
        String path = AGENTS + "/" + create("{\"visibility\":\"shared\"}").text("agent_id");
        for (String each : List.of(path, AGENTS + "/" + UUID.randomUUID(), AGENTS + "/robin")) {
            assertThat(bob.get(each).problem()).contains("agent-not-found");
            assertThat(bob.patch(each, "{\"display_name\":\"mine\"}").problem()).contains("agent-not-found");
            assertThat(bob.delete(each).problem()).contains("agent-not-found");
        }
        assertThat(bob.get(AGENTS).json().get("agents")).isEmpty();
        assertThat(server.api(OPERATOR, "Root").get(path).problem())
                .as("operators own no other users' agents")
                .contains("agent-not-found");
        assertThat(olivia.get(path).text("display_name")).isEqualTo("Agent");
    }

    @Test
    void deletedAgentIsGoneButItsMessagesStay() {
        String agent =
                create("{\"display_name\":\"Robin\",\"visibility\":\"shared\"}").text("agent_id");
        String thread = THREADS + "/"
                + olivia.post(THREADS, "{\"participants\":[\"agent:" + agent + "\"]}")
                        .text("thread_id");
        String speak = "{\"agent_id\":\"" + agent + "\",\"content\":\"I was here\"}";
        assertThat(olivia.post(thread + "/agent-messages", speak).status()).isEqualTo(201);
        assertThat(olivia.delete(AGENTS + "/" + agent).status()).isEqualTo(200);
        assertThat(olivia.delete(AGENTS + "/" + agent).problem()).contains("agent-not-found");
        assertThat(olivia.get(AGENTS).json().get("agents")).isEmpty();
        assertThat(olivia.post(thread + "/agent-messages", speak).problem()).contains("agent-not-found");
        assertThat(olivia.post(THREADS, "{\"participants\":[\"agent:" + agent + "\"]}")
                        .problem())
                .contains("agent-not-found");
        assertThat(olivia.get(thread + "/messages").toString()).contains("I was here");
    }

    @Test
    void sharedAgentsAreForAllAndPrivateOnesForTheirOwner() {
        String hidden = create("{\"display_name\":\"Hidden\"}").text("sender_id");
        String shared = create("{\"display_name\":\"Shared\",\"visibility\":\"shared\"}")
                .text("sender_id");
        String off = create("{\"visibility\":\"shared\",\"is_active\":false}").text("sender_id");
        Api.Reply thread = bob.post(THREADS, "{\"participants\":[\"" + shared + "\"]}");
        assertThat(thread.status()).as(thread.toString()).isEqualTo(201);
        assertThat(thread.toString()).contains("Shared");
        String path = THREADS + "/" + thread.text("thread_id");
        for (String agent : List.of(hidden, off, "agent:" + UUID.randomUUID())) {
            assertThat(bob.post(THREADS, "{\"participants\":[\"" + agent + "\"]}")
                            .problem())
                    .contains("agent-not-found");
            assertThat(bob.post(path + "/participants", "{\"sender_ids\":[\"" + agent + "\"]}")
                            .problem())
                    .contains("agent-not-found");
        }
        assertThat(olivia.post(THREADS, "{\"participants\":[\"" + hidden + "\"]}")
                        .status())
                .isEqualTo(201);
        assertThat(bob.post(
                                path + "/agent-messages",
                                "{\"agent_id\":\"" + shared + "\",\"content\":\"as if I were it\"}")
                        .problem())
                .as("a user who adds an agent may not speak for it")
                .contains("agent-not-found");
    }

    @Test
    void repeatedRegistrationReturnsTheFirstAgent() throws Exception {
        String key = "Idempotency-Key: k-" + UUID.randomUUID();
        List<Future<Api.Reply>> answers = new ArrayList<>();
        try (ExecutorService many = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 8; i++) {
                answers.add(many.submit(() -> olivia.post(AGENTS, "{\"display_name\":\"Robin\"}", key)));
            }
        }
        HashSet<String> ids = new HashSet<>();
        for (Future<Api.Reply> answer : answers) {
            assertThat(answer.get().status()).as(answer.get().toString()).isEqualTo(201);
            ids.add(answer.get().text("agent_id"));
        }
        assertThat(ids).hasSize(1);
        assertThat(olivia.get(AGENTS).json().get("agents")).hasSize(1);
        assertThat(olivia.post(AGENTS, "{\"display_name\":\"Other\"}", key).problem())
                .contains("key-reused");
        for (String odd : List.of("Idempotency-Key: " + "x".repeat(129), "Idempotency-Key: ")) {
            assertThat(olivia.post(AGENTS, "{}", odd).problem()).contains("invalid-fields");
        }
        assertThat(olivia.post(AGENTS, "{}", "Idempotency-Key: " + "x".repeat(128))
                        .status())
                .isEqualTo(201);
    }
}
