package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testing.NodeProject;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.models.Script;
import dev.parley.testkit.models.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A run calls the published file server of MCP, and writes nothing before an approval. */
class ModelRealToolsTest {
    @TempDir
    Path folder;

    @Test
    void aFileIsReadAtOnceAndWrittenWhenItIsApproved() throws IOException {
        Path notes = Files.createDirectory(folder.resolve("notes"));
        Files.writeString(notes.resolve("list.txt"), "milk");
        Path file = Files.writeString(folder.resolve("agents.yaml"), """
                tool_servers:
                  fs:
                    command: %s
                    args: [%s, %s]
                    approval: {except: [read_text_file]}
                """.formatted(
                        quoted(NodeProject.node()),
                        quoted(NodeProject.installed("mcp")
                                .folder()
                                .resolve("node_modules/@modelcontextprotocol/server-filesystem/dist/index.js")
                                .toString()),
                        quoted(notes.toString())));
        String reading = arguments(Map.of("path", notes.resolve("list.txt").toString()));
        String writing = arguments(Map.of("path", notes.resolve("list.txt").toString(), "content", "milk and bread"));
        try (RunningServer server = ModelFixture.server("--agents-file", file.toString());
                ModelFixture asked =
                        ModelFixture.register(server, Wire.ANTHROPIC, Map.of("tool_servers", List.of("fs")))) {
            asked.model()
                    .next(
                            Script.answer().call("a", "fs__read_text_file", reading),
                            Script.answer().call("b", "fs__write_file", writing),
                            Script.answer().text("It is on the list."));

            List<AgentCaller.Frame> frames = asked.ask("r1", "Put bread on the list");

            JsonNode question = frames.getLast().data().at("/outcome/interrupts/0");
            assertThat(question.path("message").asString()).contains("write_file", "milk and bread");
            assertThat(asked.requests().getLast().text())
                    .as("the content that it read")
                    .contains("milk");
            assertThat(notes.resolve("list.txt")).hasContent("milk");
            Map<String, Object> input = asked.input("r2", "Go on");
            input.put(
                    "resume",
                    List.of(Map.of(
                            "interruptId",
                            question.path("id").asString(),
                            "status",
                            "resolved",
                            "payload",
                            Map.of("approved", true))));
            assertThat(ModelFixture.said(asked.ask(input))).isEqualTo("It is on the list.");
            assertThat(notes.resolve("list.txt")).hasContent("milk and bread");
        }
    }

    private static String quoted(String text) {
        return Json.MAPPER.writeValueAsString(text);
    }

    private static String arguments(Map<String, Object> arguments) {
        return Json.MAPPER.writeValueAsString(arguments);
    }
}
