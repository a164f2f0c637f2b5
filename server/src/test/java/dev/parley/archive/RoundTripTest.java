package dev.parley.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.attachments.images.SampleImages;
import dev.parley.protocol.Json;
import dev.parley.storage.DatabaseAddress;
import dev.parley.testing.Api;
import dev.parley.testing.Form;
import dev.parley.testing.RunningServer;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A server filled by its clients, exported and imported elsewhere: no client notices the move. */
class RoundTripTest {
    private static final UUID ADA = UUID.randomUUID();
    private static final UUID OPERATOR = UUID.randomUUID();
    private static final byte[] PICTURE = SampleImages.jpeg(40, 30);
    private static final String NASTY = "中文 العربية 👩‍👩‍👧 e\\u0301 \\u0001\\u001f \\\\N \\t\\n\\r \\\"";
    private static final String FIRST = """
            {"content": "first %s", "client_message_id": "key-1",
             "metadata": {"n": 1e400, "m": 0.10, "z": "\\u4e2d", "a": [1, {"deep": -0.0}]}}""".formatted(NASTY);

    private static final String ERASED_WORD = "unspeakable";
    private static final String INBOUND = """
            {"message": "from far away 中文", "client_id": "telegram:C1", "msg_metadata": {"source": "telegram",
             "sender_id": "telegram:U1", "sender_display_name": "Olivia", "sender_type": "human",
             "channel_external_id": "C1", "recipient_id": "bot:Demo", "workspace_id": "T0001",
             "external_message_id": "1731665000.000100", "external_event_id": "Ev0001"}}""";

    private static ArchiveFixture there;
    private static RunningServer before;
    private static RunningServer after;
    private static String thread = "";
    private static String room = "";
    private static String firstId = "";
    private static String erased = "";
    private static String agentToken = "";
    private static String integration = "";
    private static JsonNode picture = Json.MAPPER.createObjectNode();
    private static Map<String, String> pagesBefore;
    private static Map<String, String> pagesAfter;
    private static Map<String, String> rowsBefore;
    private static Map<String, String> rowsAfter;

    @BeforeAll
    static void move() {
        there = new ArchiveFixture();
        Path data = there.data.resolve("before");
        before = RunningServer.start(
                "--data",
                data.toString(),
                "--rate-limits",
                "off",
                "--operators",
                OPERATOR.toString(),
                "--outbound-allow",
                "127.0.0.1:9");
        fill(before.api(ADA, "Ada 中文"), before.api(OPERATOR, "Olivia"));
        pagesBefore = pages(before);
        // Background work must not differ between the export and the comparison.
        before.server().close();
        ArchiveFixture.export(there.archive(), before.database(), data.resolve("blobs"), there.progress());
        rowsBefore = ArchiveFixture.digests(before.database());
        assertThat(there.importFrom(there.archive())).as(there.output()).isTrue();
        rowsAfter = there.digests();
        DatabaseAddress address = there.address();
        after = RunningServer.start(
                "--data",
                there.data.toString(),
                "--rate-limits",
                "off",
                "--operators",
                OPERATOR.toString(),
                "--database-url",
                address.jdbcUrl(),
                "--database-user",
                String.valueOf(address.user()),
                "--database-password",
                String.valueOf(address.password()));
        pagesAfter = pages(after);
    }

    @AfterAll
    static void close() {
        after.close();
        before.close();
        there.close();
    }

    private static JsonNode must(Api.Reply reply) {
        assertThat(reply.status()).as(reply.toString()).isBetween(200, 299);
        return reply.json();
    }

    private static String json(Object body) {
        return Json.MAPPER.writeValueAsString(body);
    }

    private static void fill(Api ada, Api operator) {
        room = must(ada.post("/api/v1/chat/threads", json(Map.of("title", "A room 中文")), "Idempotency-Key: t-1"))
                .get("thread_id")
                .asString();
        String chat = "/api/v1/chat/threads/" + room;
        firstId = must(ada.post(chat + "/messages", FIRST)).get("id").asString();
        String second = must(ada.post(chat + "/messages", json(Map.of("content", "second"))))
                .get("id")
                .asString();
        must(ada.patch(chat + "/messages/" + second, json(Map.of("content", "second, edited 🙂"))));
        must(ada.send("PUT", chat + "/messages/" + firstId + "/reactions/%F0%9F%91%8D", null));
        String agent = must(ada.post(
                        "/api/v1/owner/agents", json(Map.of("display_name", "Builder", "visibility", "private"))))
                .get("agent_id")
                .asString();
        agentToken = must(ada.post(
                        "/api/v1/owner/external-agents/tokens",
                        json(Map.of("agent_actor_id", agent, "scopes", List.of("observe", "speak", "run")))))
                .get("raw_token")
                .asString();
        must(ada.post(chat + "/participants", json(Map.of("sender_ids", List.of("agent:" + agent)))));
        must(ada.post(chat + "/webhooks", json(Map.of("callback_url", "http://127.0.0.1:9/x"))));
        runWithPicture(ada);
        String key = must(operator.post("/api/v1/operator/integration-keys", json(Map.of("source", "telegram"))))
                .get("raw_key")
                .asString();
        integration = key;
        must(before.api(key).post("/api/v1/ingest/chat", INBOUND));
        String session = "/api/v1/sessions/session-1";
        must(ada.post(
                session + "/chat-events",
                "{\"message\": {\"id\": \"m-1\", \"role\": \"user\", \"content\": \"from Agno\", \"cost\": 0.10}}"));
        must(ada.send("PUT", session + "/document", "{\"version\": 0, \"document\": {\"state\": 1e400}}"));
        eraseAThread(ada, operator);
        // Lists are updated after the log.
        await().atMost(Duration.ofSeconds(60)).until(() -> before.count("""
                select (select count(*) from runs where ended_at is null)
                    + (select count(*) from thread_heads h left join thread_activity a on a.thread_id = h.thread_id
                        where a.last_seq is distinct from h.last_seq)""") == 0);
    }

    private static void eraseAThread(Api ada, Api operator) {
        erased = must(ada.post("/api/v1/chat/threads", json(Map.of("title", ERASED_WORD))))
                .get("thread_id")
                .asString();
        must(ada.post("/api/v1/chat/threads/" + erased + "/messages", json(Map.of("content", ERASED_WORD))));
        must(operator.post("/api/v1/operator/erasures", json(Map.of("thread_id", erased)), "Idempotency-Key: e-1"));
        await().atMost(Duration.ofSeconds(60))
                .until(() -> before.count("select count(*) from erasures where finished_at is null") == 0);
    }

    private static void runWithPicture(Api ada) {
        picture = must(Form.file("猫 cat.jpg", "image/jpeg", PICTURE).uploadBy(ada));
        thread = UUID.randomUUID().toString();
        List<Map<String, String>> content = List.of(
                Map.of("type", "text", "text", "What is this? 这是什么"),
                Map.of(
                        "type",
                        "binary",
                        "mimeType",
                        "image/jpeg",
                        "url",
                        picture.get("url").asString()));
        must(ada.post(
                "/api/v1/agent/runs",
                json(Map.of(
                        "threadId",
                        thread,
                        "runId",
                        "run-1",
                        "messages",
                        List.of(Map.of("id", "msg-1", "role", "user", "content", content))))));
    }

    /** The clients' pages, without addresses and the signatures in them. */
    private static Map<String, String> pages(RunningServer server) {
        Api ada = server.api(ADA, "Ada 中文");
        Map<String, String> pages = new LinkedHashMap<>();
        for (String path : List.of(
                "/api/v1/chat/threads",
                "/api/v1/chat/threads/" + room,
                "/api/v1/chat/threads/" + room + "/messages",
                "/api/v1/chat/threads/" + room + "/messages?revisions=raw",
                "/api/v1/chat/threads/" + room + "/events",
                "/api/v1/chat/threads/" + room + "/webhooks",
                "/api/v1/chat/threads/" + thread + "/messages",
                "/api/v1/chat/threads/" + erased + "/messages",
                "/api/v1/agent/threads/" + thread + "/runs",
                "/api/v1/agent/threads/" + thread + "/runs/run-1",
                "/api/v1/agent/threads/" + thread + "/runs/run-1/context",
                "/api/v1/agent/history?threadId=" + thread,
                "/api/v1/owner/agents",
                "/api/v1/owner/external-agents/tokens",
                "/api/v1/sessions",
                "/api/v1/sessions/session-1/messages",
                "/api/v1/sessions/session-1/document")) {
            Api.Reply reply = ada.get(path);
            assertThat(reply.status()).as(path + " " + reply).isEqualTo(200);
            pages.put(
                    path,
                    reply.answer()
                            .text()
                            .replace(server.uri().toString(), "")
                            .replaceAll("token=[A-Za-z0-9._-]+", "token=")
                            // Background work runs on both.
                            .replaceAll("\"(failures|failing_since|problem|state)\":[^,}]*", ""));
        }
        return pages;
    }

    @Test
    void rowsAreTheSame() {
        assertThat(rowsAfter).isEqualTo(rowsBefore);
        assertThat(rowsAfter.get("entries")).doesNotStartWith("0 ");
        assertThat(rowsAfter.get("inbound_events")).startsWith("1 ");
        assertThat(rowsAfter.get("objects")).startsWith("1 ");
        assertThat(rowsAfter.get("chat_events")).startsWith("1 ");
    }

    @Test
    void pagesAreTheSame() {
        assertThat(pagesAfter.keySet()).isEqualTo(pagesBefore.keySet());
        pagesAfter.forEach((path, page) -> assertThat(page).as(path).isEqualTo(pagesBefore.get(path)));
        assertThat(pagesAfter.get("/api/v1/chat/threads/" + room + "/messages"))
                .contains("1e400", "0.10", "second, edited 🙂", "👍");
    }

    @Test
    void retryOfAnOldKeyAnswersTheFirstMessage() {
        Api.Reply again = after.api(ADA, "Ada 中文").post("/api/v1/chat/threads/" + room + "/messages", FIRST);
        assertThat(again.status()).as(again.toString()).isEqualTo(200);
        assertThat(again.text("id")).isEqualTo(firstId);
        Api.Reply made = after.api(ADA, "Ada 中文")
                .post("/api/v1/chat/threads", json(Map.of("title", "A room 中文")), "Idempotency-Key: t-1");
        assertThat(made.text("thread_id")).isEqualTo(room);
    }

    @Test
    void repeatedPlatformEventIsKnown() {
        JsonNode again = must(after.api(integration).post("/api/v1/ingest/chat", INBOUND));
        assertThat(again.path("duplicate").asBoolean()).as(again.toString()).isTrue();
    }

    @Test
    void agentTokensStayValid() {
        Api.Reply page = after.api(agentToken).get("/api/v1/chat/threads/" + room + "/messages");
        assertThat(page.status()).as(page.toString()).isEqualTo(200);
    }

    @Test
    void imageUrlsStayValid() {
        String address = after.api(ADA, "Ada 中文")
                .get("/api/v1/agent/attachments/signed-url?bucket="
                        + picture.get("bucket").asString() + "&path="
                        + URLEncoder.encode(picture.get("path").asString(), StandardCharsets.UTF_8))
                .text("url");
        Api.Reply opened = after.api(null).get(address.replace(after.uri().toString(), ""));
        assertThat(opened.answer().body()).isEqualTo(PICTURE);
    }

    @Test
    void erasedContentIsInNoFile() throws IOException {
        assertThat(pagesAfter.get("/api/v1/chat/threads/" + erased + "/messages"))
                .contains("erased_at");
        try (Stream<Path> files = Files.walk(there.archive())) {
            assertThat(files.filter(file -> file.toString().endsWith(".jsonl")).toList())
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(Files.readString(file)).doesNotContain(ERASED_WORD));
        }
    }

    @Test
    void clientsContinue() {
        Api ada = after.api(ADA, "Ada 中文");
        String messages = "/api/v1/chat/threads/" + room + "/messages";
        long last =
                ada.get("/api/v1/chat/threads/" + room).json().get("last_seq").asLong();
        Api.Reply output = ada.post(messages, json(Map.of("content", "and on")));
        assertThat(output.status()).as(output.toString()).isEqualTo(201);
        assertThat(output.json().get("thread_seq").asLong()).isGreaterThan(last);
        assertThat(there.verify()).as(there.output()).isTrue();
    }
}
