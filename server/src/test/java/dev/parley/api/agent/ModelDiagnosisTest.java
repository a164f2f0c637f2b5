package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.parley.agents.model.ModelAgent;
import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.CapturedLog;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.models.Script;
import dev.parley.testkit.models.Wire;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** The reason why a model's provider failed is shown to operators and the agent's owner, and to no other caller. */
class ModelDiagnosisTest {
    private static final String REFUSAL = "Incorrect API key: " + ModelFixture.KEY + " 钥匙";

    @AutoClose
    private static final RunningServer server = ModelFixture.server();

    /** The operator, who also owns the agent, as a participant of the thread. */
    private static Api joined(ModelFixture asked) {
        Api.Reply added = asked.caller()
                .api()
                .post(
                        "/api/v1/chat/threads/" + asked.thread() + "/participants",
                        "{\"sender_ids\":[\"user:" + ModelFixture.OPERATOR + "\"]}");
        assertThat(added.status()).as(added.toString()).isLessThan(300);
        return server.api(ModelFixture.OPERATOR, "Root");
    }

    private static JsonNode context(Api api, ModelFixture asked) {
        return api.get("/api/v1/agent/threads/" + asked.thread() + "/runs/r/context")
                .json();
    }

    private static JsonNode error(Api api, ModelFixture asked, String run) {
        return api.get("/api/v1/agent/threads/" + asked.thread() + "/runs/" + run)
                .json()
                .get("error");
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void operator_seesStatusAddressAndTheProvidersWords(Wire wire) {
        try (ModelFixture asked = ModelFixture.register(server, wire, Map.of())) {
            asked.model().next(Script.answer().status(401, Map.of(), REFUSAL));
            asked.failure("r");

            JsonNode seen = error(joined(asked), asked, "r");
            assertThat(seen.get("code").asString()).isEqualTo("model_unauthorized");
            assertThat(seen.at("/upstream/status").asInt()).isEqualTo(401);
            assertThat(seen.at("/upstream/address").asString())
                    .startsWith(asked.model().baseUrl())
                    .doesNotContain("?");
            assertThat(seen.at("/upstream/message").asString()).isEqualTo("Incorrect API key: **** 钥匙");
            assertThat(context(server.api(ModelFixture.OPERATOR, "Root"), asked).get("failure"))
                    .isEqualTo(seen.get("upstream"));
            assertThat(context(asked.caller().api(), asked).get("failure").isNull())
                    .as("the thread's manager sees the context, and not its address")
                    .isTrue();
            assertThat(error(asked.caller().api(), asked, "r").get("upstream").isNull())
                    .as("the thread's owner does not operate the server")
                    .isTrue();
            assertThat(asked.caller()
                            .runs(asked.thread())
                            .getFirst()
                            .at("/error/upstream")
                            .isNull())
                    .isTrue();
        }
    }

    @Test
    void log_namesTheRunAsTheConsoleDoes() {
        try (ModelFixture asked = ModelFixture.register(server, Wire.OPENAI, Map.of());
                CapturedLog log = new CapturedLog(ModelAgent.class.getName())) {
            asked.model().next(Script.answer().status(404, Map.of(), "404 page not found"));
            asked.start(asked.input("my run – 运行", "Hi"));
            String task =
                    asked.caller().runs(asked.thread()).getFirst().get("taskId").asString();
            JsonNode failure = ModelFixture.failed(asked.caller().follow(asked.thread(), task));
            assertThat(failure.get("code").asString()).isEqualTo("model_address_not_found");
            assertThat(failure.get("message").asString()).contains("/chat/completions", "base_url");
            assertThat(log.events())
                    .filteredOn(event -> event.getFormattedMessage().contains(task))
                    .singleElement()
                    .satisfies(event -> {
                        assertThat(event.getLevel()).isEqualTo(Level.WARN);
                        assertThat(event.getFormattedMessage())
                                .startsWith("Run my run – 运行 (task " + task + ") of agent ")
                                .contains("model_address_not_found (status 404)")
                                .doesNotContain(ModelFixture.KEY)
                                .as("a provider's words may quote the prompt, and an address may hold a key")
                                .doesNotContain("page not found")
                                .doesNotContain(asked.model().baseUrl());
                    });
        }
    }

    @Test
    void keyInTheAddress_isMasked() {
        try (ModelFixture asked = ModelFixture.register(server, Wire.OPENAI, Map.of())) {
            Api.Reply changed = server.api(ModelFixture.OPERATOR, "Root")
                    .patch(
                            "/api/v1/owner/agents/" + asked.agent(),
                            Json.MAPPER.writeValueAsString(Map.of(
                                    "config",
                                    Map.of(
                                            "provider",
                                            "openai",
                                            "model",
                                            ModelFixture.MODEL,
                                            "base_url",
                                            asked.model().baseUrl() + "/" + ModelFixture.KEY + "/v1",
                                            "api_key",
                                            "${secret:PROVIDER_KEY}"))));
            assertThat(changed.status()).as(changed.toString()).isEqualTo(200);
            asked.model().next(Script.answer().status(401, Map.of(), "no"));
            asked.failure("r");
            assertThat(context(server.api(ModelFixture.OPERATOR, "Root"), asked)
                            .at("/failure/address")
                            .asString())
                    .isEqualTo(asked.model().baseUrl() + "/****/v1/chat/completions");
        }
    }

    @Test
    void unreachableProvider_hasAnAddressAndNoStatus() {
        try (ModelFixture asked = ModelFixture.register(server, Wire.OPENAI, Map.of())) {
            asked.model().close();
            asked.failure("r");
            JsonNode upstream =
                    context(server.api(ModelFixture.OPERATOR, "Root"), asked).get("failure");
            assertThat(upstream.get("status").isNull()).isTrue();
            assertThat(upstream.get("address").asString()).endsWith("/chat/completions");
            assertThat(upstream.get("message").isNull()).isTrue();
        }
    }

    @Test
    void failureInTheMiddleOfAnAnswer_keepsTheProvidersWords() {
        try (ModelFixture asked = ModelFixture.register(server, Wire.ANTHROPIC, Map.of())) {
            asked.model().next(Script.answer().text("a").errorInStream("overloaded_error", "Too many of you"));
            asked.failure("r");
            JsonNode upstream =
                    context(server.api(ModelFixture.OPERATOR, "Root"), asked).get("failure");
            assertThat(upstream.get("status").asInt()).isEqualTo(200);
            assertThat(upstream.get("message").asString()).contains("Too many of you");
        }
    }
}
