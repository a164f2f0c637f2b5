package dev.parley.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.attachments.images.SampleImages;
import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.RawAnswer;
import dev.parley.testkit.RawHttp;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Media of sessions through the whole server: where they are stored, and how they are served. */
class SessionMediaServerTest {
    private static final int MB = 1024 * 1024;

    private static Path data;
    private static RunningServer server;
    private static Api api;

    @BeforeAll
    static void start() throws IOException {
        data = Files.createTempDirectory(Files.createDirectories(Path.of("target", "scratch")), "data");
        server = RunningServer.start("--data", data.toString(), "--rate-limits", "off");
        api = server.api(UUID.randomUUID(), "Ann");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String session() {
        return "/api/v1/sessions/s-" + UUID.randomUUID();
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static String message(String id, byte[] image) {
        return """
                {"id": "%s","content" : "看 👀 \\u0000 \\ud800",  "role":"user", "cost": 0.0, "null": null,
                 "images": [ {"id":"i-%1$s","detail":null, "content": "%s" } ],
                 "created_at":1765280936}""".formatted(id, base64(image));
    }

    private static String escaped(JsonNode message) {
        return message.toString().replace("\ud800", "\\ud800");
    }

    private static String events(List<String> messages) {
        return messages.stream()
                .map(message -> "{\"message\":" + message + "}")
                .collect(Collectors.joining(",", "{\"chat_events\":[", "]}"));
    }

    private static Api.Reply append(String session, List<String> messages) {
        Api.Reply reply = api.post(session + "/chat-events", events(messages));
        assertThat(reply.status()).as(reply.toString()).isEqualTo(201);
        return reply;
    }

    private static String text(Api.Reply reply) {
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        return new String(reply.answer().body(), StandardCharsets.UTF_8);
    }

    private static long tableBytes() {
        return server.count("""
                select sum(pg_total_relation_size(c.oid)) from pg_class c
                where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace""");
    }

    private static long blobBytes() throws IOException {
        try (Stream<Path> files = Files.walk(data.resolve("blobs"))) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    @Test
    void imagesAreInTheStoreOnceAndNotInTheDatabase() throws IOException {
        String session = session();
        // The first rows of a table take whole pages, with any content.
        append(
                session,
                IntStream.range(0, 16)
                        .mapToObj(i -> message("w" + i, bytes(900, i)))
                        .toList());
        long tables = tableBytes();
        long blobs = blobBytes();
        List<String> messages = IntStream.range(0, 16)
                .mapToObj(i -> message("m" + i, bytes(MB, i < 8 ? 0 : i)))
                .toList();

        append(session, messages);

        assertThat(tableBytes() - tables).isLessThan(200 * 1024);
        assertThat(blobBytes() - blobs).isEqualTo(9 * MB);
        assertThat(text(api.get(session + "/messages?last=16&media=inline")))
                .isEqualTo("[" + String.join(",", messages) + "]");
    }

    @Test
    void messageIsServedAsItWasPostedAndByReferenceOnRequest() throws IOException {
        String session = session();
        byte[] image = SampleImages.jpeg(300, 300);
        String message = message("m1", image);

        JsonNode appended = append(session, List.of(message)).json().at("/chat_events/0/message_data/images/0");
        String inline = text(api.get(session + "/messages"));
        String row = text(api.get(session + "/chat-events?media=inline"));
        JsonNode byUrl = Json.MAPPER
                .readTree(text(api.get(session + "/messages?media=url")))
                .at("/0/images/0");

        assertThat(inline).isEqualTo("[" + message + "]");
        assertThat(row).contains("\"message_data\":" + message + "}");
        assertThat(appended.has("content")).isFalse();
        assertThat(appended.at("/media_reference/size").asInt()).isEqualTo(image.length);
        assertThat(appended.at("/media_reference/mime_type").asString()).isEqualTo("image/jpeg");
        assertThat(byUrl.has("content")).isFalse();
        assertThat(fetched(byUrl.get("url").asString())).isEqualTo(image);
        assertThat(fetched(appended.at("/media_reference/url").asString())).isEqualTo(image);
    }

    private static byte[] fetched(String url) throws IOException {
        URI uri = URI.create(url);
        String request = "GET " + uri.getRawPath() + "?" + uri.getRawQuery() + " HTTP/1.1\r\nHost: x\r\n\r\n";
        RawAnswer answer =
                RawHttp.exchange(server.uri(), request.getBytes(StandardCharsets.US_ASCII), Duration.ofSeconds(20));
        assertThat(answer.status()).isEqualTo(200);
        return answer.body();
    }

    @Test
    void imageIsVisibleToParticipantsOnOtherFaces() {
        UUID thread = UUID.randomUUID();
        byte[] image = SampleImages.jpeg(300, 300);
        append("/api/v1/sessions/" + thread, List.of(message("m1", image)));

        JsonNode metadata =
                api.get("/api/v1/chat/threads/" + thread + "/messages").json().at("/messages/0/metadata");

        assertThat(metadata.at("/user_message_attachments/mime_type").asString())
                .isEqualTo("image/jpeg");
        assertThat(metadata.at("/attachments/0/id").asString()).isEqualTo("i-m1");
    }

    @Test
    void repeatedPostStoresNoMediaAgain() throws IOException {
        String session = session();
        String body = events(List.of(message("m1", bytes(5_000, 77))));
        assertThat(api.post(session + "/chat-events", body).status()).isEqualTo(201);
        long objects = server.count("select count(*) from objects");

        Api.Reply again = api.post(session + "/chat-events", body);
        Api.Reply other = api.post(
                session + "/chat-events",
                events(List.of(message("m2", bytes(5_000, 78)), message("m1", bytes(5_000, 79)))));

        assertThat(again.status()).isEqualTo(200);
        assertThat(other.status()).isEqualTo(409);
        assertThat(server.count("select count(*) from objects")).isEqualTo(objects);
    }

    /** Clients post again the messages they have read, as context of an answer. */
    @Test
    void messagePostedAgainWithLinksIsTheSame() {
        String session = session();
        append(session, List.of(message("m1", bytes(5_000, 1)), message("m2", bytes(5_000, 2))));
        for (String mode : List.of("url", "reference", "inline")) {
            String read = text(api.get(session + "/messages?media=" + mode));
            // Half a surrogate pair can only be written as an escape.
            String again = "{\"chat_events\":[{\"message\":"
                    + escaped(Json.MAPPER.readTree(read).get(0)) + "},{\"message\":"
                    + escaped(Json.MAPPER.readTree(read).get(1)) + "},{\"message\":{\"id\":\"after-" + mode
                    + "\",\"role\":\"user\"}}]}";
            String swapped = again.replace("\"m1\"", "\"m3\"").replace("\"m2\"", "\"m1\"");

            Api.Reply known = api.post(session + "/chat-events", again);

            assertThat(known.status()).as(known.toString()).isEqualTo(201);
            assertThat(api.post(session + "/chat-events", swapped).problem()).contains("key-reused");
            assertThat(api.post(session + "/chat-events", again.replace("看", "X"))
                            .problem())
                    .contains("key-reused");
        }
        assertThat(Json.MAPPER.readTree(text(api.get(session + "/messages")))).hasSize(5);
    }

    @Test
    void messageOfAnotherFaceHasAgnosForm() {
        UUID thread = UUID.randomUUID();
        append("/api/v1/sessions/" + thread, List.of("{\"id\":\"m1\",\"role\":\"user\",\"content\":\"first\"}"));
        Api.Reply said = api.post(
                "/api/v1/chat/threads/" + thread + "/messages",
                "{\"content\":\"他说 مرحبا 👋\",\"client_message_id\":\"c1\"}");
        assertThat(said.status()).as(said.toString()).isEqualTo(201);

        JsonNode message = Json.MAPPER
                .readTree(text(api.get("/api/v1/sessions/" + thread + "/messages")))
                .get(1);

        assertThat(message.propertyNames())
                .containsExactly("id", "content", "from_history", "stop_after_tool_call", "role", "created_at");
        assertThat(message.get("content").asString()).isEqualTo("他说 مرحبا 👋");

        Api.Reply sentBack = api.post(
                "/api/v1/sessions/" + thread + "/chat-events",
                "{\"message\":" + message.toString().replace("\"from_history\":false", "\"from_history\":true") + "}");
        Api.Reply other = api.post(
                "/api/v1/sessions/" + thread + "/chat-events",
                "{\"message\":" + message.toString().replace("他说", "X") + "}");

        assertThat(sentBack.status()).as(sentBack.toString()).isEqualTo(200);
        assertThat(sentBack.json().at("/chat_events/0/seq").asInt()).isEqualTo(2);
        assertThat(other.status())
                .as("the id belongs to another face, so the key differs")
                .isEqualTo(201);
        assertThat(api.get("/api/v1/sessions/" + thread + "/messages").json()).hasSize(3);
    }

    @Test
    void tooLargeAnswerIsRefusedBeforeItIsWritten() {
        String session = session();
        for (int i = 0; i < 6; i++) {
            byte[] large = bytes(9 * MB, 1);
            append(session, List.of(message("m" + i, large)));
        }

        Api.Reply refused = api.get(session + "/messages?media=inline");

        assertThat(refused.status()).isBetween(400, 499);
        assertThat(api.get(session + "/messages?media=url").json()).hasSize(6);
        assertThat(api.get(session + "/messages?media=inline&last=2").json()).hasSize(2);
    }

    @Test
    void toolsSafeNeverSplitsABatch() {
        String session = session();
        append(
                session,
                List.of(
                        "{\"id\":\"a\",\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c1\"},{\"id\":\"c2\"}]}",
                        "{\"id\":\"b\",\"role\":\"tool\",\"tool_call_id\":\"c2\",\"content\":\"2\"}",
                        "{\"id\":\"c\",\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"1\"}",
                        "{\"id\":\"d\",\"role\":\"assistant\",\"content\":\"done\"}"));

        Api.Reply cut = api.get(session + "/messages?last=3&tools=safe");
        Api.Reply whole = api.get(session + "/messages?last=4&tools=safe");

        assertThat(cut.json().findValuesAsString("id")).containsExactly("d");
        assertThat(cut.header("Parley-Dropped")).contains("2");
        assertThat(whole.json().findValuesAsString("id")).containsExactly("a", "c1", "c2", "b", "c", "d");
        assertThat(whole.header("Parley-Dropped")).contains("0");
    }
}
