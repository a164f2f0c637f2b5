package dev.parley.api.agui;

import static dev.parley.api.agui.AguiCaller.input;
import static dev.parley.api.agui.AguiCaller.message;
import static dev.parley.api.agui.AguiCaller.older;
import static dev.parley.api.agui.AguiCaller.only;
import static dev.parley.api.agui.AguiCaller.types;
import static dev.parley.api.agui.AguiCaller.user;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.parley.attachments.images.SampleImages;
import dev.parley.testing.Api;
import dev.parley.testing.Form;
import dev.parley.testing.RunningServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Files inside messages: bytes are stored as objects, names are shown as URLs, and the server never fetches a URL. */
class FilesTest {
    private static final byte[] PNG = SampleImages.png(3, 2);
    private static final String BASE64 = Base64.getEncoder().encodeToString(PNG);
    private static final int OBJECTS = 30;

    @AutoClose
    private static final RunningServer server =
            RunningServer.start("--rate-limits", "off", "--limit-owned-objects", Integer.toString(OBJECTS));

    private final AguiCaller caller = AguiCaller.somebody(server);
    private final String thread = UUID.randomUUID().toString();

    private static Map<String, Object> text(String text) {
        return Map.of("type", "text", "text", text);
    }

    private static Map<String, Object> data(String type, String mimeType, String value) {
        return Map.of("type", type, "source", Map.of("type", "data", "value", value, "mimeType", mimeType));
    }

    private static Map<String, Object> url(String value) {
        return Map.of("type", "image", "source", Map.of("type", "url", "value", value, "mimeType", "image/png"));
    }

    private long objects() {
        return server.count("select count(*) from objects where owner = 'user:" + caller.user() + "'");
    }

    /** The parts of the first message, as a later client is shown them. */
    private List<JsonNode> shownParts() {
        List<JsonNode> events = caller.connect(thread);
        assertThat(events.toString()).doesNotContain(BASE64.substring(0, 24)).doesNotContain("\"data\"");
        return only(events, "MESSAGES_SNAPSHOT")
                .at("/messages/0/content")
                .valueStream()
                .toList();
    }

    private byte[] fetched(JsonNode part) {
        URI uri = URI.create(part.at("/source/value").asString());
        Api.Reply reply = server.api((String) null).get(uri.getRawPath() + "?" + uri.getRawQuery());
        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        return reply.answer().body();
    }

    private void assertShownAsOnePng(List<JsonNode> parts) {
        assertThat(parts).hasSize(2);
        assertThat(parts.get(0).get("text").asString()).isEqualTo("look");
        assertThat(parts.get(1).get("type").asString()).isEqualTo("image");
        assertThat(parts.get(1).at("/source/type").asString()).isEqualTo("url");
        assertThat(parts.get(1).at("/source/mimeType").asString()).isEqualTo("image/png");
        assertThat(fetched(parts.get(1))).isEqualTo(PNG);
        assertThat(objects()).isEqualTo(1);
    }

    @Test
    void bytesInAPartBecomeAnObject() {
        Map<String, Object> part = Map.of(
                "type",
                "image",
                "id",
                "part-1",
                "source",
                Map.of("type", "data", "value", BASE64, "mimeType", "image/png"),
                "metadata",
                Map.of("filename", "dot.png"));
        List<JsonNode> events = caller.run(thread, "r1", user("u1", List.of(text("look"), part)));
        assertThat(ClientView.of(events).shown()).contains("image/png");
        assertThat(events.toString()).doesNotContain(BASE64);
        List<JsonNode> parts = shownParts();
        assertShownAsOnePng(parts);
        assertThat(parts.get(1).get("id").asString()).isEqualTo("part-1");
        assertThat(parts.get(1).at("/metadata/filename").asString()).isEqualTo("dot.png");
        assertThat(server.count("select count(*) from runs where input::text like '%" + BASE64.substring(0, 24) + "%'"))
                .isZero();
        // A repeated part is recognized and stored once.
        caller.run(thread, "r2", user("u1", List.of(text("look"), part)), user("u2", "and?"));
        assertThat(objects()).isEqualTo(1);
    }

    @Test
    void aWholeDataUrlAndLineBreaksAreUnderstood() {
        caller.run(
                thread,
                "r1",
                user("u1", List.of(text("look"), data("image", "image/png", "data:image/png;base64," + BASE64))));
        assertShownAsOnePng(shownParts());
        String lines = Base64.getMimeEncoder(8, "\r\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(PNG);
        caller.run(thread, "r2", user("u2", List.of(text("look"), data("image", "image/png", lines + "\n"))));
        assertThat(objects()).isEqualTo(2);
    }

    @Test
    void dataUrlIsStoredAsAnObject() {
        caller.run(thread, "r1", user("u1", List.of(text("look"), url("data:image/png;base64," + BASE64))));
        assertShownAsOnePng(shownParts());
    }

    /** It overflowed the reader's stack, and was answered with 500. */
    @Test
    void aDataUrlOfThousandsOfParametersIsReadLikeAnyOther() {
        String start = "data:image/png" + ";x".repeat(5_000) + ";base64,";
        assertRefused(
                caller.post(input(thread, "r1", user("u1", List.of(text("look"), url(start + "AA=="))))),
                415,
                "unsupported-media-type");
        caller.run(thread, "r2", user("u2", List.of(text("look"), url(start + BASE64))));
        assertThat(objects()).isEqualTo(1);
    }

    @Test
    void partsOfTheOlderFormBecomeModernOnes() {
        caller.run(older(
                thread,
                "r1",
                user(
                        "u1",
                        List.of(
                                text("look"),
                                Map.of("type", "binary", "mimeType", "image/png", "data", BASE64, "filename", "a.png"),
                                Map.of("type", "binary", "mimeType", "image/png", "id", "only an id")))));
        List<JsonNode> parts = shownParts();
        assertShownAsOnePng(parts);
        assertThat(parts.get(1).at("/metadata/filename").asString()).isEqualTo("a.png");
    }

    @Test
    void duplicatePartOfTheOlderFormIsDropped() {
        caller.run(older(
                thread,
                "r1",
                user(
                        "u1",
                        List.of(
                                text("look"),
                                data("image", "image/png", BASE64),
                                Map.of(
                                        "type", "binary",
                                        "mimeType", "image/png",
                                        "data", BASE64,
                                        "filename", "a.png")))));
        List<JsonNode> parts = shownParts();
        assertShownAsOnePng(parts);
        assertThat(parts.get(1).at("/metadata/filename").asString()).isEqualTo("a.png");
    }

    @Test
    void aUrlOfOursIsTheObjectThatItNames() {
        String ours =
                Form.file("dot.png", "image/png", PNG).uploadBy(caller.api()).text("url");
        caller.run(thread, "r1", user("u1", List.of(text("look"), url(ours))));
        assertShownAsOnePng(shownParts());
        String other = UUID.randomUUID().toString();
        caller.run(older(
                other, "r1", user("u1", List.of(Map.of("type", "binary", "mimeType", "image/png", "url", ours)))));
        assertThat(objects()).isEqualTo(1);
        // Another user's object is not shown to a caller who knows its URL.
        AguiCaller thief = AguiCaller.somebody(server);
        String theirs = UUID.randomUUID().toString();
        thief.run(theirs, "r1", user("u1", List.of(text("look"), url(ours))));
        assertThat(thief.connect(theirs).toString()).doesNotContain("width");
        assertThat(server.count("select count(*) from runs where input::text like '%token=%'"))
                .isZero();
    }

    @Test
    void urlOfAnotherServerIsStoredAndNeverFetched() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        HttpServer elsewhere = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        elsewhere.createContext("/", exchange -> {
            calls.incrementAndGet();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        elsewhere.start();
        try {
            String url = "http://127.0.0.1:" + elsewhere.getAddress().getPort() + "/a.png";
            Map<String, Object> file =
                    Map.of("type", "document", "source", Map.of("type", "file", "value", "file-1", "provider", "x"));
            caller.run(thread, "r1", user("u1", List.of(text("look"), url(url), file)));
            List<JsonNode> parts = shownParts();
            assertThat(parts).hasSize(3);
            assertThat(parts.get(1).at("/source/value").asString()).isEqualTo(url);
            assertThat(parts.get(2).at("/source/value").asString()).isEqualTo("file-1");
            List<JsonNode> before = AguiCaller.events(caller.post(AguiCaller.CONNECT, older(thread, "c-" + thread)));
            assertThat(only(before, "MESSAGES_SNAPSHOT").at("/messages/0/content"))
                    .hasSize(2);
            assertThat(calls).hasValue(0);
            assertThat(objects()).isZero();
        } finally {
            elsewhere.stop(0);
        }
    }

    @Test
    void aDocumentIsKeptAsOne() {
        byte[] pdf = "%PDF-1.7\n%%EOF\n".getBytes(StandardCharsets.US_ASCII);
        caller.run(
                thread,
                "r1",
                user(
                        "u1",
                        List.of(data(
                                "document",
                                "application/pdf",
                                Base64.getEncoder().encodeToString(pdf)))));
        List<JsonNode> parts = shownParts();
        assertThat(parts).hasSize(1);
        assertThat(parts.getFirst().get("type").asString()).isEqualTo("document");
        assertThat(parts.getFirst().at("/source/mimeType").asString()).isEqualTo("application/pdf");
        assertThat(fetched(parts.getFirst())).isEqualTo(pdf);
    }

    private void assertRefused(Api.Reply reply, int status, String code) {
        assertThat(reply.status()).as(reply.toString()).isEqualTo(status);
        assertThat(reply.json().at("/error/code").asString()).isEqualTo(code);
        assertThat(AguiCaller.types(caller.connect(thread))).containsExactly("RUN_STARTED", "RUN_FINISHED");
        assertThat(objects()).isZero();
    }

    @Test
    void mislabelledBytesAreRefusedAndNotStored() {
        String cut = Base64.getEncoder().encodeToString(Arrays.copyOf(PNG, 20));
        assertRefused(
                caller.post(input(thread, "r1", user("u1", List.of(data("image", "image/png", cut))))),
                415,
                "unsupported-media-type");
        for (String wrong : List.of("not base64!", "====", "", "data:image/png;base64,")) {
            assertRefused(
                    caller.post(input(thread, "r1", user("u1", List.of(data("image", "image/png", wrong))))),
                    400,
                    "invalid-fields");
        }
    }

    @Test
    void aGoodFileBesideABadOneIsNotKept() {
        assertRefused(
                caller.post(input(
                        thread,
                        "r1",
                        user(
                                "u1",
                                List.of(
                                        data("image", "image/png", BASE64),
                                        data("image", "image/png", "not base64!"))))),
                400,
                "invalid-fields");
    }

    private static List<Object> images(int count) {
        List<Object> images = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            images.add(data("image", "image/png", Base64.getEncoder().encodeToString(SampleImages.png(i, 1))));
        }
        return images;
    }

    @Test
    void atMostTwentyFilesComeWithARun() {
        assertRefused(caller.post(input(thread, "r1", user("u1", images(21)))), 400, "invalid-fields");
        caller.run(thread, "r1", user("u1", images(20)));
        assertThat(shownParts()).hasSize(20);
        assertThat(objects()).isEqualTo(20);
    }

    @Test
    void callerAtTheQuotaIsRefused() {
        caller.run(thread, "r1", user("u1", images(20)));
        Api.Reply refused = caller.post(input(thread, "r2", user("u2", images(11))));
        assertThat(refused.status()).isEqualTo(413);
        assertThat(refused.json().at("/error/code").asString()).isEqualTo("quota-exceeded");
        assertThat(caller.log(thread)).hasSize(2);
        caller.run(thread, "r2", user("u2", images(10)));
        assertThat(objects()).isEqualTo(OBJECTS);
    }

    @Test
    void fileOfConcurrentRequestsIsStoredOnce() {
        List<Object> parts = List.of(text("look"), data("image", "image/png", BASE64));
        List<List<JsonNode>> all = Race.of(6, i -> caller.run(thread, "race-" + i, user("u1", parts)));
        assertThat(all).allSatisfy(events -> assertThat(types(events)).endsWith("RUN_FINISHED"));
        assertShownAsOnePng(shownParts());
    }

    @Test
    void fileOfARefusedMessageIsNotStored() {
        caller.run(thread, "r1", user("u1", "hello"));
        caller.api().patch("/api/v1/chat/threads/" + thread + "/archive", "{}");
        Api.Reply refused = caller.post(input(thread, "r2", user("u2", images(3))));
        assertThat(refused.status()).isEqualTo(409);
        assertThat(objects()).isZero();
        assertThat(server.count("select count(*) from storage_usage where owner = 'user:" + caller.user()
                        + "' and objects <> 0"))
                .isZero();
    }

    @Test
    void fileInAToolResultIsStored() {
        Map<String, Object> asks = AguiCaller.with(
                input(thread, "r1", user("u1", "/tool shoot {}")),
                "tools",
                List.of(Map.of("name", "shoot", "description", "takes a picture")));
        String call =
                only(caller.run(asks), "TOOL_CALL_START").get("toolCallId").asString();
        Map<String, Object> result = message("t1", "tool", List.of(text("here"), data("image", "image/png", BASE64)));
        result.put("toolCallId", call);
        List<JsonNode> events = caller.run(thread, "r2", user("u1", "/tool shoot {}"), result);
        assertThat(ClientView.of(events).shown()).contains("here");
        assertThat(objects()).isEqualTo(1);
        assertThat(caller.connect(thread).toString()).doesNotContain(BASE64);
    }
}
