package dev.parley.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.agents.FileAgents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.agents.model.Spending;
import dev.parley.outbound.Secrets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentsFileTest {
    private static final String HELPER = """
            agents:
              helper:
                kind: model
                provider: openai
                model: gpt-5
                api_key: ${secret:OPENAI_KEY}
            """;

    @TempDir
    Path folder;

    private AgentsFile read(String yaml) {
        try {
            Path file = Files.writeString(folder.resolve("agents.yaml"), yaml);
            return AgentsFile.read(file, new Secrets(Map.of("openai-key", "sk-x")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void assertRefused(String yaml, String... words) {
        assertThatThrownBy(() -> read(yaml))
                .isInstanceOf(ConfigException.class)
                .satisfies(refused ->
                        assertThat(refused.getMessage()).contains(words).endsWith("."));
    }

    @Test
    void anEmptyFileHasNoAgents() {
        for (String nothing : List.of("", "# nothing\nagents:\n")) {
            AgentsFile empty = read(nothing);
            assertThat(empty.given()).isTrue();
            assertThat(empty.agents()).isEmpty();
            assertThat(empty.toolServers()).isEmpty();
            assertThat(empty.prices()).isEmpty();
            assertThat(empty.perUser()).isNull();
        }
    }

    @Test
    void agentsHaveAStableId() {
        FileAgents.Entry helper = read(HELPER).agents().getFirst();
        assertThat(helper.id()).isEqualTo(AgentsFile.idOf("helper")).isNotEqualTo(AgentsFile.idOf("other"));
        assertThat(helper.id().version()).isEqualTo(8);
        assertThat(helper.displayName()).isEqualTo("helper");
        assertThat(helper.kind()).isEqualTo(RegisteredAgent.Kind.MODEL);
        assertThat(helper.visibility()).isEqualTo(RegisteredAgent.Visibility.SHARED);
        assertThat(helper.config().propertyNames()).containsExactly("provider", "model", "api_key");
        UUID own = UUID.randomUUID();
        assertThat(read(HELPER + "    id: " + own + "\n    display_name: The Helper\n    visibility: private\n")
                        .agents())
                .singleElement()
                .satisfies(agent -> assertThat(agent.id()).isEqualTo(own))
                .satisfies(agent -> assertThat(agent.displayName()).isEqualTo("The Helper"));
    }

    @Test
    void remoteAgentsAndToolServersCanBeInTheFile() {
        AgentsFile file = read(HELPER + """
                    tool_servers: [files]
                  far:
                    kind: agui
                    url: https://agents.example/agui
                tool_servers:
                  files: {command: mcp-files, args: [--read-only]}
                """);
        assertThat(file.agents()).extracting(FileAgents.Entry::name).containsExactly("helper", "far");
        assertThat(file.toolServers()).containsOnlyKeys("files");
        assertThat(file.find("far")).isPresent();
        assertThat(file.find("near")).isEmpty();
    }

    @Test
    void pricesAreExact() {
        AgentsFile file = read("""
                prices:
                  openai/gpt-5: {input: 1.25, output: 10, cached_input: 0.125, currency: USD}
                budgets:
                  per_user: {amount: 20, currency: ZAR, period: month}
                """);
        assertThat(file.prices())
                .containsEntry(
                        "openai/gpt-5",
                        new Spending.Price(
                                new BigDecimal("1.25"), new BigDecimal("10"), new BigDecimal("0.125"), "USD"));
        assertThat(file.perUser()).isEqualTo(new Spending.Budget(new BigDecimal("20"), "ZAR", Spending.Period.MONTH));
    }

    @Test
    void mistakesAreNamedWithTheirLineAndTheNearestKnownName() {
        assertRefused("agent: {}\n", "agent is not known", "agents?", "line 1");
        assertRefused(HELPER + "    modle: x\n", "agents.helper.modle", "did you mean model?", "line 7");
        assertRefused(HELPER.replace("model: gpt-5", "model: ''"), "agents.helper.model is required", "line 5");
        assertRefused(
                HELPER.replace("provider: openai", "provider: opnai"),
                "agents.helper.provider is not known; did you mean openai?",
                "line 4");
        assertRefused(HELPER.replace("kind: model", "kind: demo"), "agents.helper.kind must be model or agui");
        assertRefused(HELPER.replace("helper", "Helper!"), "is no name for an agent");
        assertRefused(HELPER.replace("OPENAI_KEY", "OTHER"), "agents.helper.api_key", "OTHER");
        assertRefused(HELPER + "    visibility: public\n", "agents.helper.visibility must be shared or private");
        assertRefused(HELPER + "    id: five\n", "agents.helper.id must be a UUID");
        assertRefused(HELPER + "    model: again\n", "agents.helper.model is given twice", "line 7");
        assertRefused("tool_servers: {x: {}}\n", "tool_servers.x.command");
        assertRefused("tool_servers: [x]\n", "tool_servers must be");
        assertRefused("prices: {m: {input: 1, output: 2}}\n", "prices.m.currency");
        assertRefused("prices: {m: {input: -1, output: 2, currency: USD}}\n", "prices.m.input");
        assertRefused("prices: {m: {inputs: 1}}\n", "prices.m.inputs", "did you mean input?");
        assertRefused("budgets: {per_user: {amount: 1, currency: USD, period: year}}\n", "budgets.per_user.period");
        assertRefused("- a list\n", "does not hold a map");
        assertRefused("agents: {a: {b: [}\n", "not valid YAML");
    }

    @Test
    void anApiKeyInTheFileIsRefusedAndNotRepeated() {
        assertThatThrownBy(() -> read(HELPER.replace("${secret:OPENAI_KEY}", "sk-live-1234")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("agents.helper.api_key")
                .hasMessageNotContaining("sk-live");
    }

    @Test
    void twoAgentsCannotShareAnId() {
        UUID id = UUID.randomUUID();
        String other = HELPER.replace("agents:\n", "").replace("helper", "other");
        assertRefused(HELPER + "    id: " + id + "\n" + other + "    id: " + id + "\n", "agents.other.id");
    }

    @Test
    void aMissingFileStopsTheStart() {
        assertThatThrownBy(() -> Config.load(
                        List.of("--agents-file", folder.resolve("none.yaml").toString()), Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("does not exist");
    }

    @Test
    void theDefaultAgentMayBeNamed() throws IOException {
        String file = Files.writeString(folder.resolve("a.yaml"), HELPER).toString();
        List<String> flags = List.of("--agents-file", file, "--secret-openai-key", "sk-x", "--default-agent");
        List<String> known = new java.util.ArrayList<>(flags);
        known.add("helper");
        assertThat(Config.load(known, Map.of()).agents().defaultAgent().value())
                .isEqualTo("agent:" + AgentsFile.idOf("helper"));
        List<String> unknown = new java.util.ArrayList<>(flags);
        unknown.add("nobody");
        assertThatThrownBy(() -> Config.load(unknown, Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("nobody");
    }
}
