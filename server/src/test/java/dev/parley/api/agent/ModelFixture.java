package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.models.ModelRequest;
import dev.parley.testkit.models.ScriptedModel;
import dev.parley.testkit.models.Wire;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** An agent of kind model with its provider, and a caller with a thread of their own who starts its runs. */
record ModelFixture(ScriptedModel model, AgentCaller caller, String thread, String agent)
        implements AgentFixture, AutoCloseable {
    static final UUID OPERATOR = UUID.randomUUID();
    static final String KEY = "sk-a-key-that-nobody-may-see";
    static final String MODEL = "talker-1";

    static RunningServer server(String... flags) {
        List<String> all = new java.util.ArrayList<>(
                List.of("--rate-limits", "off", "--operators", OPERATOR.toString(), "--secret-provider-key", KEY));
        all.addAll(List.of(flags));
        return RunningServer.start(all.toArray(String[]::new));
    }

    /** @param config the configuration besides the provider and its address */
    static ModelFixture register(RunningServer server, Wire wire, Map<String, Object> config) {
        ScriptedModel model = ScriptedModel.start(wire);
        Map<String, Object> all = new HashMap<>(Map.of(
                "provider",
                wire.name().toLowerCase(Locale.ROOT),
                "model",
                MODEL,
                "base_url",
                model.baseUrl(),
                "api_key",
                "${secret:PROVIDER_KEY}"));
        all.putAll(config);
        Api.Reply made = register(server, all);
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        return new ModelFixture(
                model, AgentCaller.somebody(server), UUID.randomUUID().toString(), made.text("agent_id"));
    }

    static Api.Reply register(RunningServer server, Map<String, Object> config) {
        return server.api(OPERATOR, "Root")
                .post(
                        "/api/v1/owner/agents",
                        Json.MAPPER.writeValueAsString(Map.of(
                                "kind", "model", "display_name", "Talker", "visibility", "shared", "config", config)));
    }

    /** The code and the sentence of a failed run. */
    JsonNode failure(String run) {
        return failed(ask(run, "Hi"));
    }

    static JsonNode failed(List<AgentCaller.Frame> frames) {
        JsonNode last = frames.getLast().data();
        assertThat(last.path("type").asString()).as(last.toString()).isEqualTo("RUN_ERROR");
        assertThat(last.path("message").asString())
                .endsWith(".")
                .doesNotContain("127.0.0.1")
                .doesNotContain("http")
                .doesNotContain(KEY);
        return last;
    }

    List<ModelRequest> requests() {
        model.requests()
                .forEach(request ->
                        assertThat(request.violations()).as(request.text()).isEmpty());
        return model.requests();
    }

    /** The text of all messages together. */
    static String said(List<AgentCaller.Frame> frames) {
        return frames.stream()
                .filter(frame -> frame.type().equals("TEXT_MESSAGE_CONTENT"))
                .map(frame -> frame.data().path("delta").asString())
                .collect(Collectors.joining());
    }

    @Override
    public void close() {
        model.close();
    }
}
