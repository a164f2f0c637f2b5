package dev.parley.testkit.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testkit.TestClock;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The scripted server is as strict and as forgetful as the real one. */
class ScriptedBlueBubblesTest {
    private static final String CHAT = "iMessage;-;+15550100";
    private static final String HELLO =
            "{\"chatGuid\":\"" + CHAT + "\",\"message\":\"早上好\",\"tempGuid\":\"t1\",\"method\":\"apple-script\"}";

    private final TestClock clock = TestClock.at(Instant.ofEpochMilli(1_794_816_000_000L));
    private final ScriptedBlueBubbles server = new ScriptedBlueBubbles(clock);
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<JsonNode> told = new CopyOnWriteArrayList<>();
    private final LocalApi listener = new LocalApi(request -> {
        told.add(Json.MAPPER.readTree(request.text()));
        return LocalApi.Answer.json(200, "");
    });

    @AfterEach
    void close() {
        client.close();
        server.close();
        listener.close();
    }

    private HttpResponse<String> call(String path, String body, String password) throws Exception {
        URI uri = URI.create(
                server.url() + "/api/v1/" + path + "?password=" + URLEncoder.encode(password, StandardCharsets.UTF_8));
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20));
        return client.send(
                (body.isEmpty()
                                ? request.GET()
                                : request.header("Content-Type", "application/json")
                                        .POST(HttpRequest.BodyPublishers.ofString(body)))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> call(String path, String body) throws Exception {
        return call(path, body, ScriptedBlueBubbles.PASSWORD);
    }

    private static JsonNode content(HttpResponse<String> answer) {
        return Json.MAPPER.readTree(answer.body()).path("data");
    }

    @Test
    void wrongPasswordIsRefused() throws Exception {
        assertThat(call("server/info", "", "guess").statusCode()).isEqualTo(401);
        assertThat(call("message/text", HELLO, "guess").statusCode()).isEqualTo(401);
        assertThat(server.messages(CHAT)).isEmpty();
    }

    @Test
    void sentMessageIsInTheChatAndItsEventHasTheMarker() throws Exception {
        server.tell(listener.url());
        server.addChat(CHAT);

        JsonNode sent = content(call("message/text", HELLO));
        server.settle();

        assertThat(server.messages(CHAT)).singleElement().satisfies(message -> {
            assertThat(message.path("text").asString()).isEqualTo("早上好");
            assertThat(message.path("guid")).isEqualTo(sent.path("guid"));
            assertThat(message.has("tempGuid")).isFalse();
        });
        assertThat(sent.path("tempGuid").asString()).isEqualTo("t1");
        assertThat(told).singleElement().satisfies(event -> {
            assertThat(event.path("type").asString()).isEqualTo("new-message");
            assertThat(event.at("/data/tempGuid").asString()).isEqualTo("t1");
            assertThat(event.at("/data/isFromMe").asBoolean()).isTrue();
        });
    }

    @Test
    void malformedRequestsAreRefused() throws Exception {
        server.addChat(CHAT);
        server.queue("t1");

        assertThat(call("message/text", HELLO).statusCode()).isEqualTo(400);
        assertThat(call("message/text", HELLO.replace("t1", "")).statusCode()).isEqualTo(400);
        assertThat(call("message/text", "[]").statusCode()).isEqualTo(400);
        assertThat(call("message/text", HELLO.replace("0100", "0199").replace("t1", "t2"))
                        .statusCode())
                .isEqualTo(500);
        assertThat(call("message/query", "{\"limit\":1001}").statusCode()).isEqualTo(400);
        assertThat(call("message/query", "{\"sort\":\"UP\"}").statusCode()).isEqualTo(400);
        assertThat(call("message/query", "{\"chatGuid\":\"nowhere\"}").statusCode())
                .isEqualTo(404);
        assertThat(call("contact/query", "{}").statusCode()).isEqualTo(400);
        assertThat(call("elsewhere", "").statusCode()).isEqualTo(404);
        assertThat(server.messages(CHAT)).isEmpty();
    }

    @Test
    void historyIsPagedInItsOrderAndWithoutMarkers() throws Exception {
        server.addChat(CHAT);
        call("message/text", HELLO);
        for (int i = 0; i < 3; i++) {
            clock.advance(Duration.ofSeconds(1));
            server.say(CHAT, "+15550100", "message " + i);
        }
        long after = clock.millis() - 2_000;

        JsonNode page = content(call(
                "message/query",
                "{\"after\":" + after + ",\"sort\":\"ASC\",\"offset\":1,\"limit\":1,\"with\":[\"chats\"]}"));
        JsonNode latest = content(call("message/query", "{\"chatGuid\":\"" + CHAT + "\"}"));

        assertThat(page).hasSize(1);
        assertThat(page.at("/0/text").asString()).isEqualTo("message 1");
        assertThat(page.at("/0/chats/0/guid").asString()).isEqualTo(CHAT);
        assertThat(latest).hasSize(4);
        assertThat(latest.at("/0/text").asString()).isEqualTo("message 2");
        assertThat(latest.at("/3/tempGuid").isMissingNode()).isTrue();
        assertThat(latest.at("/0/chats").isMissingNode()).isTrue();
    }

    @Test
    void peopleFilesAndTypingAreKnown() throws Exception {
        server.belongTo("me@example.test");
        server.addContact("+15550100", "Ash");
        server.addAttachment("at_0", new byte[] {65, 66});

        assertThat(content(call("server/info", "")).path("detected_imessage").asString())
                .isEqualTo("me@example.test");
        assertThat(content(call("contact/query", "{\"addresses\":[\"+15550100\",\"+15550199\"]}"))
                        .at("/0/displayName")
                        .asString())
                .isEqualTo("Ash");
        assertThat(call("attachment/at_0/download", "").body()).isEqualTo("AB");
        assertThat(call("attachment/at_1/download", "").statusCode()).isEqualTo(404);
        assertThat(call("chat/iMessage%3B-%3Bx/typing", "{}").statusCode()).isEqualTo(200);
        assertThat(server.typing()).containsExactly("iMessage;-;x");
    }

    @Test
    void eventsAreSentOnceAndLostWithoutAListener() {
        server.tell(URI.create("http://127.0.0.1:9/nobody"));
        ObjectNode message = server.say(CHAT, "+15550100", "teh");
        server.settle();
        server.tell(listener.url());
        server.edit(message, "the");
        server.unsend(message);
        server.settle();

        assertThat(server.answered()).containsExactly(0, 200, 200);
        assertThat(told)
                .extracting(event -> event.path("type").asString())
                .containsExactly("updated-message", "updated-message");
        assertThat(told.getFirst().at("/data/text").asString()).isEqualTo("the");
        assertThat(told.getLast().at("/data/dateRetracted").asLong()).isEqualTo(clock.millis());
    }
}
