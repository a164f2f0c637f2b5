package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.attachments.images.SampleImages;
import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.Form;
import dev.parley.testing.RunningServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Images on their way: uploaded, used in a run, shown in the history, and hidden from strangers. */
class AttachmentTest {
    private static final String NOT_USABLE = "binary content url must be a valid signed URL";
    private static final byte[] JPEG = SampleImages.jpeg(40, 30);

    @AutoClose
    private static final RunningServer server = RunningServer.start();

    private final AgentCaller ada = AgentCaller.somebody(server);
    private final String thread = UUID.randomUUID().toString();

    private JsonNode upload(AgentCaller who, String name, String type, byte[] bytes) {
        Api.Reply uploaded = Form.file(name, type, bytes).uploadBy(who.api());
        assertThat(uploaded.status()).as(uploaded.toString()).isEqualTo(201);
        return uploaded.json();
    }

    private Api.Reply ask(AgentCaller who, String run, String text, String type, String url) {
        return who.start(
                Map.of("threadId", thread, "runId", run, "messages", AgentCaller.lookingAt(url, type, "msg-1", text)));
    }

    private JsonNode history(AgentCaller who) {
        Api.Reply day = who.api().get("/api/v1/agent/history?threadId=" + thread);
        assertThat(day.status()).as(day.toString()).isEqualTo(200);
        return day.json();
    }

    private Api.Reply signedUrl(AgentCaller who, JsonNode object) {
        return who.api()
                .get("/api/v1/agent/attachments/signed-url?bucket="
                        + object.get("bucket").asString() + "&path="
                        + URLEncoder.encode(object.get("path").asString(), StandardCharsets.UTF_8));
    }

    private static long kept() {
        return server.count("select count(*) from objects") * 1_000_000 + server.count("select count(*) from blobs");
    }

    @Test
    void anImageTravelsFromTheUploadThroughARunIntoTheHistory() {
        JsonNode uploaded = upload(ada, "猫 cat.jpg", "image/jpeg", JPEG);
        String path = uploaded.get("path").asString();
        assertThat(uploaded.get("bucket").asString()).isEqualTo("agent-files");
        assertThat(path).matches("agent-inputs/[0-9a-f-]{36}/unfiled/upload/[0-9a-f-]{36}-猫_cat\\.jpg");
        assertThat(uploaded.get("mime_type").asString()).isEqualTo("image/jpeg");

        Api.Reply started =
                ask(ada, "run-456", "帮我看看这张图", "image/jpeg", uploaded.get("url").asString());
        assertThat(started.status()).as(started.toString()).isEqualTo(202);
        ada.follow(thread, "run-456");

        JsonNode messages = history(ada).get("messages");
        JsonNode question = messages.get(0);
        assertThat(question.get("id").asString()).isEqualTo("msg-1");
        assertThat(question.get("content").asString()).isEqualTo("帮我看看这张图");
        assertThat(question.at("/metadata/user_message_attachments"))
                .isEqualTo(Json.MAPPER.valueToTree(
                        Map.of("bucket", "agent-files", "path", path, "mime_type", "image/jpeg")));
        JsonNode shown = question.get("attachments").get(0);
        assertThat(shown.get("filename").asString()).isEqualTo("猫 cat.jpg");
        assertThat(shown.get("width").asInt()).isEqualTo(40);
        assertThat(shown.get("height").asInt()).isEqualTo(30);
        assertThat(question.get("url").asString())
                .isEqualTo(shown.get("url").asString())
                .startsWith(server.uri() + "/storage/v1/object/sign/agent-files/agent-inputs/");
        assertThat(messages.get(1).get("content").asString())
                .isEqualTo("You said: 帮我看看这张图\nI see an image: image/jpeg, " + JPEG.length + " bytes, 40 × 30 pixels.");
        assertThat(signedUrl(ada, uploaded).text("url")).contains("?token=");
    }

    @Test
    void noTokenIsEverStoredOrShown() throws SQLException {
        JsonNode uploaded = upload(ada, "a.jpg", "image/jpeg", JPEG);
        ask(ada, "r", "look", "image/jpeg", uploaded.get("url").asString());
        ada.follow(thread, "r");
        String name = "agent-files/" + uploaded.get("path").asString();
        assertThat(server.select("select input::text from runs where thread_id = '" + thread + "'")
                        .toString())
                .contains(name)
                .doesNotContain("token=", "eyJ");
        assertThat(ada.messagesReply(thread).toString()).doesNotContain("token=", "eyJ");
    }

    @Test
    void aRetryWithAFreshUrlOfTheSameImageIsTheSameRequest() {
        JsonNode uploaded = upload(ada, "a.jpg", "image/jpeg", JPEG);
        String first = ask(ada, "r", "look", "image/jpeg", uploaded.get("url").asString())
                .text("taskId");
        assertThat(ask(ada, "r", "look", "image/jpeg", signedUrl(ada, uploaded).text("url"))
                        .text("taskId"))
                .isEqualTo(first);
        // Even with an expired URL: the object that it names counts.
        assertThat(ask(ada, "r", "look", "image/jpeg", uploaded.get("url").asString() + "x")
                        .text("taskId"))
                .isEqualTo(first);
        JsonNode other = upload(ada, "b.jpg", "image/jpeg", JPEG);
        assertThat(ask(ada, "r", "look", "image/jpeg", other.get("url").asString())
                        .problem())
                .contains("key-reused");
    }

    @Test
    void imagesAreShownToReadersOfTheThreadOnly() {
        AgentCaller bea = AgentCaller.somebody(server);
        JsonNode uploaded = upload(ada, "a.jpg", "image/jpeg", JPEG);
        ask(ada, "r", "look", "image/jpeg", uploaded.get("url").asString());
        ada.follow(thread, "r");
        assertThat(signedUrl(bea, uploaded).problem()).contains("object-not-found");
        assertThat(bea.api().get("/api/v1/agent/history?threadId=" + thread).problem())
                .contains("thread-not-found");

        String bo = bea.api().get("/api/v1/auth/me").text("sender_id");
        ada.api().post("/api/v1/chat/threads/" + thread + "/participants", "{\"sender_ids\":[\"" + bo + "\"]}");
        assertThat(signedUrl(bea, uploaded).status()).isEqualTo(200);
        assertThat(history(bea).get("messages").get(0).get("url").asString()).contains("?token=");

        assertThat(ada.api()
                        .delete("/api/v1/chat/threads/" + thread + "/participants/" + bo)
                        .status())
                .isLessThan(300);
        assertThat(signedUrl(bea, uploaded).problem()).contains("object-not-found");
    }

    @Test
    void urlOfAnotherUsersImageIsRefusedEvenIfValid() {
        JsonNode uploaded = upload(ada, "a.jpg", "image/jpeg", JPEG);
        AgentCaller eve = AgentCaller.somebody(server);
        Api.Reply refused =
                ask(eve, "r", "look", "image/jpeg", uploaded.get("url").asString());
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("message")).isEqualTo(NOT_USABLE);
        assertThat(server.count("select count(*) from threads where thread_id = '" + thread + "'"))
                .isZero();
    }

    @Test
    void aNameInAMessagesMetadataOpensNothing() {
        JsonNode uploaded = upload(ada, "a.jpg", "image/jpeg", JPEG);
        AgentCaller eve = AgentCaller.somebody(server);
        ask(eve, "r", "hello");
        eve.follow(thread, "r");
        Map<String, Object> file =
                Map.of("bucket", "agent-files", "path", uploaded.get("path").asString(), "mime_type", "image/jpeg");
        String messages = "/api/v1/chat/threads/" + thread + "/messages";
        assertThat(eve.api()
                        .post(messages, said(Map.of("user_message_attachments", file)))
                        .problem())
                .contains("invalid-fields");
        assertThat(eve.api()
                        .post(messages, said(Map.of("attachments", List.of(file))))
                        .status())
                .isEqualTo(201);
        await().untilAsserted(() -> assertThat(
                        eve.messages(thread).getLast().get("content").asString())
                .isEqualTo("You said: mine"));
        assertThat(history(eve).toString()).contains("mine").doesNotContain("token=");
        assertThat(signedUrl(eve, uploaded).problem()).contains("object-not-found");
    }

    private static String said(Map<String, Object> metadata) {
        return Json.MAPPER.writeValueAsString(Map.of("content", "mine", "metadata", metadata));
    }

    private void ask(AgentCaller who, String run, String text) {
        assertThat(who.start(thread, run, text).status()).isEqualTo(202);
    }

    @Test
    void historyMarksCannotBeSetByClients() {
        String own = ada.api().post("/api/v1/chat/threads", "{}").text("thread_id");
        assertThat(ada.api()
                        .post(
                                "/api/v1/chat/threads/" + own + "/messages",
                                said(Map.of("deleted", true, "edited", true, "colour", "red")))
                        .status())
                .isEqualTo(201);
        JsonNode metadata =
                ada.api().get("/api/v1/agent/history?threadId=" + own).json().at("/messages/0/metadata");
        assertThat(metadata).isEqualTo(Json.MAPPER.valueToTree(Map.of("colour", "red")));
    }

    @Test
    void anAgentsTokenSeesTheImagesOfItsThreadsOnlyIfItMayObserve() {
        JsonNode uploaded = upload(ada, "a.jpg", "image/jpeg", JPEG);
        ask(ada, "r", "look", "image/jpeg", uploaded.get("url").asString());
        ada.follow(thread, "r");
        String agent = ada.api()
                .post("/api/v1/owner/agents", "{\"display_name\":\"Painter\"}")
                .text("agent_id");
        ada.api()
                .post("/api/v1/chat/threads/" + thread + "/participants", "{\"sender_ids\":[\"agent:" + agent + "\"]}");

        assertThat(signedUrl(withScopes(agent, "\"run\",\"observe\""), uploaded).status())
                .isEqualTo(200);
        AgentCaller runner = withScopes(agent, "\"run\"");
        assertThat(signedUrl(runner, uploaded).problem()).contains("object-not-found");
        assertThat(upload(runner, "own.jpg", "image/jpeg", JPEG).get("path").asString())
                .startsWith("agent-inputs/agent-" + agent + "/");
    }

    private AgentCaller withScopes(String agent, String scopes) {
        return new AgentCaller(
                server,
                server.api(ada.api()
                        .post(
                                "/api/v1/owner/external-agents/tokens",
                                "{\"agent_actor_id\":\"" + agent + "\",\"scopes\":[" + scopes + "]}")
                        .text("raw_token")));
    }

    @Test
    void theDeclaredTypeMustBeTheStoredOne() {
        JsonNode uploaded = upload(ada, "a.jpg", "image/jpeg", JPEG);
        String url = uploaded.get("url").asString();
        assertThat(ask(ada, "r1", "look", "image/png", url).text("message")).isEqualTo(NOT_USABLE);
        assertThat(ask(ada, "r2", "look", "image/svg+xml", url).text("message")).isEqualTo(NOT_USABLE);
        assertThat(ask(ada, "r3", "look", "image/JPG", url).status()).isEqualTo(202);
    }

    @Test
    void sameBytesAreKeptOnce() {
        byte[] bytes = SampleImages.png(7, 9);
        upload(ada, "a.png", "image/png", bytes);
        long blobs = server.count("select count(*) from blobs");
        long objects = server.count("select count(*) from objects");
        upload(AgentCaller.somebody(server), "b.png", "application/octet-stream", bytes);
        assertThat(server.count("select count(*) from blobs")).isEqualTo(blobs);
        assertThat(server.count("select count(*) from objects")).isEqualTo(objects + 1);
    }

    @Test
    void aRepeatedUploadByItsKeyMakesNothingAgain() {
        Form form = Form.file("a.jpg", "image/jpeg", JPEG);
        String path = form.uploadBy(ada.api(), "Idempotency-Key: k1").text("path");
        assertThat(form.uploadBy(ada.api(), "Idempotency-Key: k1").text("path")).isEqualTo(path);
        assertThat(Form.file("a.jpg", "image/jpeg", SampleImages.jpeg(3, 3))
                        .uploadBy(ada.api(), "Idempotency-Key: k1")
                        .problem())
                .contains("key-reused");
    }

    @Test
    void threadAndRunAreNamedInThePathWhereverTheyStandInTheForm() {
        Api.Reply uploaded = Form.file("a.jpg", "image/jpeg", JPEG)
                .field("threadId", thread)
                .field("runId", "../../run 1")
                .uploadBy(ada.api());
        assertThat(uploaded.text("path")).contains("/" + thread + "/run_1/").doesNotContain("..");
        assertThat(new Form()
                        .field("threadId", "thread-123")
                        .add("file", "a.jpg", "image/jpeg", JPEG)
                        .uploadBy(ada.api())
                        .problem())
                .contains("invalid-fields");
        assertThat(Form.file("a.jpg", "image/jpeg", JPEG)
                        .field("runId", "r".repeat(128))
                        .uploadBy(ada.api())
                        .status())
                .isEqualTo(201);
        assertThat(Form.file("a.jpg", "image/jpeg", JPEG)
                        .field("runId", "r".repeat(129))
                        .uploadBy(ada.api())
                        .status())
                .isEqualTo(400);
    }

    static List<SampleImages.Hostile> hostile() {
        return SampleImages.hostile();
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void incompleteImageIsRefusedAndNotStored(SampleImages.Hostile file) {
        long before = kept();
        Api.Reply refused =
                Form.file("x.png", file.declaredType(), file.bytes()).uploadBy(ada.api());
        assertThat(refused.status()).as(refused.toString()).isEqualTo(415);
        assertThat(refused.text("message")).endsWith(".");
        assertThat(kept()).isEqualTo(before);
    }

    @Test
    void pixelsAreCountedAndNeverDecoded() {
        assertThat(upload(ada, "a.png", "image/png", SampleImages.pngClaiming(10_000, 10_000)))
                .isNotNull();
        long before = kept();
        assertThat(Form.file("a.png", "image/png", SampleImages.pngClaiming(10_000, 10_001))
                        .uploadBy(ada.api())
                        .problem())
                .contains("payload-too-large");
        assertThat(Form.file("a.png", "image/png", SampleImages.pngClaiming(Integer.MAX_VALUE, 65_535))
                        .uploadBy(ada.api())
                        .problem())
                .contains("payload-too-large");
        assertThat(kept()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"image/png", "text/html", "image/svg+xml", "nonsense"})
    void aDeclaredTypeThatDoesNotFitIsRefused(String type) {
        assertThat(Form.file("a.jpg", type, JPEG).uploadBy(ada.api()).problem()).contains("unsupported-media-type");
    }

    @Test
    void aFormWithoutItsFileOrWithTwoIsRefused() {
        assertThat(new Form().field("threadId", thread).uploadBy(ada.api()).problem())
                .contains("invalid-fields");
        long before = kept();
        assertThat(Form.file("a.jpg", "image/jpeg", JPEG)
                        .add("file", "b.jpg", "image/jpeg", JPEG)
                        .uploadBy(ada.api())
                        .problem())
                .contains("invalid-fields");
        assertThat(ada.api()
                        .send("POST", "/api/v1/agent/attachments", "image/jpeg", JPEG)
                        .problem())
                .contains("unsupported-media-type");
        assertThat(ada.api()
                        .send("POST", "/api/v1/agent/attachments", "multipart/form-data; boundary=x", JPEG)
                        .problem())
                .contains("malformed-request");
        assertThat(kept()).isEqualTo(before);
    }

    @Test
    void imagesOfOneRunAreLimited() {
        String url = upload(ada, "a.jpg", "image/jpeg", JPEG).get("url").asString();
        assertThat(ada.start(withImages("r1", url, 20)).status()).isEqualTo(202);
        Api.Reply refused = ada.start(withImages("r2", url, 21));
        assertThat(refused.problem()).contains("invalid-fields");
        ada.follow(thread, "r1");
        assertThat(history(ada).get("messages").get(0).get("attachments").size())
                .isEqualTo(20);
    }

    private Map<String, Object> withImages(String run, String url, int count) {
        List<Map<String, String>> parts =
                Collections.nCopies(count, Map.of("type", "binary", "mimeType", "image/jpeg", "url", url));
        return Map.of(
                "threadId",
                thread,
                "runId",
                run,
                "messages",
                List.of(Map.of("id", "m", "role", "user", "content", parts)));
    }
}
