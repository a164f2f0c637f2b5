package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A run names its agent by id or by name; every other forwarded member is read by the agent or refused. */
class NamedAgentTest {
    @AutoClose
    private static final RunningServer server =
            RunningServer.start("--rate-limits", "off", "--operators", RemoteFixture.OPERATOR.toString());

    private final AgentCaller caller = AgentCaller.somebody(server);
    private final String thread = UUID.randomUUID().toString();

    private static String register(AgentCaller owner, String name) {
        return owner.api()
                .post(
                        "/api/v1/owner/agents",
                        Json.MAPPER.writeValueAsString(
                                Map.of("display_name", name, "kind", "demo", "visibility", "shared")))
                .text("agent_id");
    }

    private Api.Reply ask(String run, Map<String, Object> props) {
        Map<String, Object> input = AgentCaller.input(thread, run, "hello");
        input.put("forwardedProps", props);
        return caller.start(input);
    }

    private String agentOf(String run) {
        return caller.run(thread, run).get("agent").asString();
    }

    @Test
    void uniqueName_findsTheCallersOwnAgentAndTheServers() {
        String own = register(caller, "小助手 🤖");
        assertThat(ask("own", Map.of("agentId", "小助手 🤖")).status()).isEqualTo(202);
        assertThat(agentOf("own")).isEqualTo("agent:" + own);
        assertThat(ask("server", Map.of("agentId", "demo")).status()).isEqualTo(202);
        assertThat(agentOf("server")).isEqualTo("agent:00000000-0000-7000-8000-0000000000de");
        assertThat(ask("id", Map.of("agentId", own)).status()).isEqualTo(202);
        assertThat(ask("actor", Map.of("agentId", "agent:" + own)).status()).isEqualTo(202);
    }

    @Test
    void nameThatNoOneOrAStrangerHas_isNotFound() {
        register(AgentCaller.somebody(server), "Stranger");
        for (String name : new String[] {"nobody", "Stranger", ""}) {
            Api.Reply refused = ask("r", Map.of("agentId", name));
            assertThat(refused.status()).as(name).isEqualTo(404);
            assertThat(refused.problem()).contains("agent-not-found");
        }
    }

    @Test
    void nameOfSeveralAgents_isRefused() {
        register(caller, "Twin");
        register(caller, "twin");
        Api.Reply refused = ask("r", Map.of("agentId", "Twin"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().at("/errors/0"))
                .isEqualTo(Json.MAPPER.readTree("{\"field\":\"forwardedProps.agentId\","
                        + "\"message\":\"is the name of several agents; use the agent's id\"}"));
    }

    @Test
    void name_worksOnTheAguiFaceInThePathToo() {
        String own = register(caller, "Helper");
        String input = Json.MAPPER.writeValueAsString(AgentCaller.input(thread, "r", "hello"));
        assertThat(caller.api().post("/api/v1/agui/agent/helper/run", input).status())
                .isEqualTo(200);
        assertThat(agentOf("r")).isEqualTo("agent:" + own);
        String other = Json.MAPPER.writeValueAsString(AgentCaller.input(thread, "other", "hello"));
        assertThat(caller.api().post("/api/v1/agui/agent/nobody/run", other).status())
                .isEqualTo(404);
    }

    @Test
    void memberThatTheAgentDoesNotRead_isRefusedWithTheMembersThatAreRead() {
        Api.Reply refused = ask("r", Map.of("temperature", 1, "regenerate", "m"));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("errors").valueStream().map(JsonNode::toString))
                .containsExactlyInAnyOrder(
                        "{\"field\":\"forwardedProps.temperature\",\"message\":\"is not known; the agent "
                                + "reads agentId, multitaskStrategy, regenerateFrom\"}",
                        "{\"field\":\"forwardedProps.regenerate\",\"message\":\"is not known; the agent "
                                + "reads agentId, multitaskStrategy, regenerateFrom\"}");
        assertThat(caller.api().get("/api/v1/chat/threads/" + thread).status()).isEqualTo(404);
    }

    @Test
    void memberForARemoteAgent_isForwardedUnlessItMisspellsOneOfOurs() {
        try (RemoteFixture far = RemoteFixture.register(server, Map.of())) {
            far.remote().says();
            Map<String, Object> input = far.input("r", "hello");
            input.put("forwardedProps", Map.of("agentId", far.agent(), "temperature", 1));
            far.ask(input);
            assertThat(far.remote().lastRequest().body().get("forwardedProps").toString())
                    .isEqualTo("{\"temperature\":1}");
            input.put("runId", "r2");
            input.put("forwardedProps", Map.of("agentId", far.agent(), "multitask_strategy", "reject"));
            assertThat(far.caller().start(input).json().at("/errors/0/message").asString())
                    .isEqualTo("is not known; did you mean multitaskStrategy?");
        }
    }

    @Test
    void memberOnTheAguiFace_passesUnlessItMisspellsOneOfOurs() {
        Map<String, Object> input = AgentCaller.input(thread, "r", "hello");
        input.put(
                "forwardedProps",
                Map.of("temperature", 1, "config", Map.of("recursion_limit", 5), "agent", "x", "agents", List.of()));
        assertThat(caller.api()
                        .post("/api/v1/agui", Json.MAPPER.writeValueAsString(input))
                        .status())
                .isEqualTo(200);
        input.put("runId", "r2");
        input.put("forwardedProps", Map.of("agent_id", "demo"));
        Api.Reply refused = caller.api().post("/api/v1/agui", Json.MAPPER.writeValueAsString(input));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("message")).isEqualTo("forwardedProps.agent_id is not known; did you mean agentId?");
    }
}
