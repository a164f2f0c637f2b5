package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.agents.FileAgents;
import dev.parley.agents.RegisteredAgent;
import dev.parley.app.Server;
import dev.parley.app.config.Config;
import dev.parley.protocol.Json;
import dev.parley.storage.Database;
import dev.parley.storage.DatabaseAddress;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.models.Script;
import dev.parley.testkit.models.ScriptedModel;
import dev.parley.testkit.models.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents that the operator's file declares. */
class FileAgentTest {
    @TempDir
    Path folder;

    @Test
    void defaultAgentOfTheFileAnswersAndCannotBeChanged() throws IOException {
        try (ScriptedModel model = ScriptedModel.start(Wire.OPENAI)) {
            Path file = Files.writeString(folder.resolve("agents.yaml"), """
                    agents:
                      helper:
                        kind: model
                        display_name: The Helper
                        provider: openai
                        model: talker-1
                        base_url: %s
                        api_key: ${secret:PROVIDER_KEY}
                    """.formatted(model.baseUrl()));
            try (RunningServer server =
                    ModelFixture.server("--agents-file", file.toString(), "--default-agent", "helper")) {
                model.next(Script.answer().text("At your service."));
                AgentCaller caller = AgentCaller.somebody(server);
                String thread = UUID.randomUUID().toString();
                Api.Reply started = caller.start(AgentCaller.input(thread, "r", "Hi"));
                assertThat(started.status()).isEqualTo(202);
                assertThat(ModelFixture.said(caller.follow(thread, "r"))).isEqualTo("At your service.");
                String id = server.select("select agent_id::text from agents where file_name = 'helper'")
                        .getFirst();
                assertThat(server.api(ModelFixture.OPERATOR, "Root")
                                .patch("/api/v1/owner/agents/" + id, "{\"display_name\":\"Mine\"}")
                                .status())
                        .isEqualTo(404);
                assertThat(server.select("select display_name from agents where file_name = 'helper'"))
                        .containsExactly("The Helper");
            }
        }
    }

    @Test
    void theFileAgreesWithWhatIsRegisteredAfterEveryStart() {
        try (RunningServer server = ModelFixture.server();
                Database database = Database.open(server.database(), 2)) {
            FileAgents.Entry one = entry("one", UUID.randomUUID());
            FileAgents.Entry two = entry("two", UUID.randomUUID());
            agree(database, one, two);
            agree(database, two);
            assertThat(active(server)).containsExactly("two");
            agree(database, one, two);
            assertThat(active(server)).containsExactly("one", "two");
            String registered = ModelFixture.register(
                            server, Map.of("provider", "ollama", "model", "m", "base_url", "http://127.0.0.1:1"))
                    .text("agent_id");
            assertThatThrownBy(() -> agree(database, entry("thief", UUID.fromString(registered))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("thief");
            assertThat(active(server))
                    .as("a file that cannot be kept changes nothing")
                    .containsExactly("one", "two");
        }
    }

    @Test
    void aNodeWithoutAFileLeavesTheAgentsOfOthersAloneAndOneWithAnEmptyFileDoesNot() throws IOException {
        try (RunningServer server = ModelFixture.server();
                Database database = Database.open(server.database(), 2)) {
            agree(database, entry("one", UUID.randomUUID()));
            startAnother(server);
            assertThat(active(server)).containsExactly("one");
            startAnother(
                    server,
                    "--agents-file",
                    Files.writeString(folder.resolve("empty.yaml"), "").toString());
            assertThat(active(server)).isEmpty();
        }
    }

    private void startAnother(RunningServer server, String... flags) {
        DatabaseAddress address = server.database();
        List<String> all = new ArrayList<>(
                List.of("--port", "0", "--jwt-secret", "a secret that is long enough for another node"));
        all.addAll(List.of("--data", folder.resolve("data").toString(), "--database-url", address.jdbcUrl()));
        all.addAll(List.of("--database-user", address.user(), "--database-password", address.password()));
        all.addAll(List.of(flags));
        Server.start(Config.load(all, Map.of()), Clock.systemUTC()).close();
    }

    private static void agree(Database database, FileAgents.Entry... entries) {
        FileAgents.agree(database, Clock.systemUTC(), List.of(entries));
    }

    private static List<String> active(RunningServer server) {
        return server.select("select file_name from agents where is_active and file_name is not null order by 1");
    }

    private static FileAgents.Entry entry(String name, UUID id) {
        return new FileAgents.Entry(
                name,
                id,
                name,
                RegisteredAgent.Kind.MODEL,
                Json.MAPPER.createObjectNode(),
                RegisteredAgent.Visibility.SHARED);
    }
}
