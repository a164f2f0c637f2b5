package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testing.ScriptedAgent;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** An agent of kind agui with its server, and a caller with a thread of their own who starts its runs. */
record RemoteFixture(ScriptedAgent remote, AgentCaller caller, String thread, String agent)
        implements AgentFixture, AutoCloseable {
    static final UUID OPERATOR = UUID.randomUUID();

    /** @param config the configuration besides the URL */
    static RemoteFixture register(RunningServer server, Map<String, Object> config) {
        ScriptedAgent remote = new ScriptedAgent();
        Api.Reply made = register(server.api(OPERATOR, "Root"), remote.url(), config);
        assertThat(made.status()).as(made.toString()).isEqualTo(201);
        return new RemoteFixture(
                remote, AgentCaller.somebody(server), UUID.randomUUID().toString(), made.text("agent_id"));
    }

    static Api.Reply register(Api owner, String url, Map<String, Object> config) {
        Map<String, Object> all = new HashMap<>(config);
        all.put("url", url);
        return owner.post(
                "/api/v1/owner/agents",
                Json.MAPPER.writeValueAsString(
                        Map.of("kind", "agui", "display_name", "Far", "visibility", "shared", "config", all)));
    }

    /** The code and the sentence of a failed run, after checking that viewers received the same. */
    JsonNode failure(String run) {
        JsonNode last = ask(run, "Hi").getLast().data();
        assertThat(last.path("type").asString()).as(last.toString()).isEqualTo("RUN_ERROR");
        JsonNode error = caller.run(thread, run).get("error");
        assertThat(error.path("code").asString("")).isEqualTo(last.path("code").asString(""));
        assertThat(error.get("message")).isEqualTo(last.get("message"));
        return error;
    }

    @Override
    public void close() {
        remote.close();
    }
}
