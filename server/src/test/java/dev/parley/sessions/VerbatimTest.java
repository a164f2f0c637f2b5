package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.app.Server;
import dev.parley.app.config.Config;
import dev.parley.storage.DatabaseAddress;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages are served as they were posted: every member in every state, by HTTP and after a restart. */
class VerbatimTest {
    private static final String LARGE = Base64.getEncoder()
            .encodeToString(
                    "a picture, or so its client says. ".repeat(90).getBytes(java.nio.charset.StandardCharsets.UTF_8));
    private static final String SECRET = "a secret that this test and its two servers share";

    /** The states of each member of a message besides absent: null, empty, and filled. */
    private static final Map<String, List<String>> MEMBERS = members();

    private static Map<String, List<String>> members() {
        Map<String, List<String>> members = new LinkedHashMap<>();
        List<String> texts = List.of("null", "\"\"", "\"中文 \\ud800 \\u0000 \\/ \\u00e9 e\u0301 👍🏽 \\ud83d\\udc4d\"");
        for (String name : List.of(
                "content",
                "reasoning_content",
                "compressed_content",
                "name",
                "tool_call_id",
                "tool_name",
                "redacted_reasoning_content",
                "checkpoint_status")) {
            members.put(name, texts);
        }
        members.put("from_history", List.of("true", "false"));
        members.put("stop_after_tool_call", List.of("true", "false"));
        members.put("tool_call_error", List.of("null", "false", "true"));
        members.put("tool_args", List.of("{}", "[]", "{\"a\": 1.0, \"b\":1e30,\"c\" : 0, \"d\":-0.0,\"e\":[[],{}]}"));
        members.put("tool_calls", List.of("[]", """
                [{"id":"fc_1","type":"function","call_id":"call_1","function":{"name":"weather","arguments":"{\\"city\\": \\"Kapstadt\\"}"}},
                 {"id":"fc_2","type":"function","thought_signature":"c2ln","function":{"name":"time","arguments":""}}]"""));
        members.put("provider_data", List.of("{}", "{\"signature\":\"abc\",\"server_tool_blocks\":[null]}"));
        members.put("checkpoint_created_at", List.of("null", "0", "1765280936"));
        for (String name : List.of("images", "audio", "videos", "files")) {
            members.put(name, List.of("null", "[]", media(name)));
        }
        for (String name : List.of("audio_output", "image_output", "video_output", "file_output")) {
            members.put(name, List.of("null", "{}", "{\"id\":\"o\",\"content\":\"" + LARGE + "\"}"));
        }
        members.put(
                "citations",
                List.of("null", "{\"raw\":null,\"urls\":[{\"url\":\"https://example.org\",\"title\":\"x\"}]}"));
        members.put("references", List.of("null", "{\"query\":\"q\",\"references\":null,\"time\":0.0}"));
        members.put(
                "metrics",
                List.of("{}", "null", "{\"input_tokens\":82,\"cost\":0.0,\"duration\":1.50,\"provider_metrics\":{}}"));
        members.put("created_at", List.of("0", "1765280936"));
        members.put("add_to_agent_memory", List.of("true", "false"));
        members.put("temporary", List.of("true", "false"));
        members.put("something_else", List.of("null", "123456789012345678901234567890", "1E-7", "[1 , 2]"));
        return members;
    }

    private static String media(String name) {
        return """
                [ {"id":"1","url":"https://example.org/%1$s","detail":"high"},
                  {"id":"2","filepath":"/tmp/%1$s"},
                  {"id":"3","mime_type":"application/octet-stream","content":"%2$s"},
                  {"content" : "%2$s" , "format":"x","sample_rate":24000,"channels":1},
                  {"id":"5","content":"aGk="},
                  {"id":"6","content":"not base64, but raw text"},
                  {"id":"7","mime_type":"text/plain","content":"%2$s"},
                  {"id":"8","media_reference":{"media_id":"m","storage_key":"k"},"metadata":{}} ]""".formatted(name, LARGE);
    }

    /** The examples of the sessions' specification. */
    private static final List<String> EXAMPLES = List.of("""
            {
              "id": "e78cbc35-74a1-4e5a-9fdf-4a3b12b7bdc6",
              "content": "What is the capital of France?",
              "from_history": false,
              "stop_after_tool_call": false,
              "role": "user",
              "created_at": 1765280936
            }""", """
            {
              "id": "0908fd92-56dc-4e80-855d-03d268830350",
              "content": "What word do you see in this image?",
              "from_history": false,
              "stop_after_tool_call": false,
              "role": "user",
              "images": [
                {
                  "id": "f6e052ed-c857-4683-a54c-df7e38c8d27e",
                  "content": "%s"
                }
              ],
              "created_at": 1765280936
            }""".formatted(LARGE), """
            {
              "id": "3fb809a5-67b3-4e98-8746-608d47f9928c",
              "content": "2 + 2 equals 4.",
              "from_history": false,
              "stop_after_tool_call": false,
              "role": "assistant",
              "metrics": {
                "input_tokens": 82,
                "output_tokens": 22,
                "total_tokens": 104
              },
              "created_at": 1765280937
            }""");

    /** Each member alone in each state, then all of them together, filled. */
    private static List<String> all() {
        List<String> messages = new ArrayList<>(EXAMPLES);
        StringBuilder everything = new StringBuilder("{\"role\":\"assistant\"");
        MEMBERS.forEach((name, states) -> {
            for (int i = 0; i < states.size(); i++) {
                messages.add("{\"id\":\"%s-%d\",\"%s\":%s,\"role\":\"%s\"}"
                        .formatted(name, i, name, states.get(i), i % 2 == 0 ? "user" : "assistant"));
            }
            everything.append(",\n\t\"").append(name).append("\" :").append(states.getLast());
        });
        messages.add(everything.append(",\"id\":\"everything\"}").toString());
        for (String role : List.of("system", "tool", "developer", "model", "Wächter")) {
            messages.add("{\"id\":\"role-%s\",\"role\":\"%s\",\"content\":[\"a\",{\"type\":\"text\",\"text\":\"b\"},7]}"
                    .formatted(role, role));
        }
        return messages;
    }

    @Test
    void everyMemberInEveryState(@TempDir Path data) {
        UUID olivia = UUID.randomUUID();
        String id = "verbatim-" + olivia;
        List<String> messages = all();
        String expected = "[" + String.join(",", messages) + "]";
        String[] flags = {"--data", data.toString(), "--jwt-secret", SECRET};
        try (RunningServer first = Session.start(flags)) {
            Session session = new Session(first.api(olivia, "Olivia"), id);
            Api.Reply reply = session.say(messages);
            assertThat(reply.status()).as(reply.toString()).isEqualTo(201);
            assertThat(session.messages("?last=1000")).isEqualTo(expected);
            assertThat(session.say(messages).status()).as("all of it again").isEqualTo(200);
            first.server().close();
            try (Server second = Server.start(Config.load(arguments(first.database(), data), Map.of()))) {
                String token = second.tokens().mint(olivia, "Olivia", java.time.Duration.ofHours(1));
                Session again = new Session(new Api(URI.create(second.url()), token), id);
                assertThat(again.messages("?last=1000")).isEqualTo(expected);
            }
        }
    }

    private static List<String> arguments(DatabaseAddress database, Path data) {
        return List.of(
                "--port",
                "0",
                "--jwt-secret",
                SECRET,
                "--data",
                data.toString(),
                "--database-url",
                database.jdbcUrl(),
                "--database-user",
                database.user(),
                "--database-password",
                String.valueOf(database.password()));
    }

    @Test
    void halfASurrogatePairIsAllowedInAValueButNotInAName() {
        try (RunningServer server = Session.start()) {
            Session session = Session.fresh(server);
            String message = "{\"id\":\"%s\",\"role\":\"user\",\"content\":\"x\",\"tool_args\":{\"%s\":\"\\ud800\"}}";
            for (String half : List.of("\\ud800", "\\udc00", "a\\ud83d")) {
                assertThat(session.say(message.formatted("m", half)).problem()).contains("invalid-json");
                assertThat(session.api()
                                .send(
                                        "PUT",
                                        session.path("/document"),
                                        "{\"version\":0,\"document\":{\"" + half + "\":1}}")
                                .problem())
                        .contains("invalid-json");
            }
            String whole = message.formatted("m", "\\ud83d\\udc4d\\u0000");
            assertThat(session.say(whole).status()).isEqualTo(201);
            assertThat(session.messages("")).isEqualTo("[" + whole + "]");
        }
    }
}
