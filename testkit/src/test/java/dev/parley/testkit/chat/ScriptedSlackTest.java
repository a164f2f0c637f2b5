package dev.parley.testkit.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.protocol.Json;
import dev.parley.testkit.TestClock;
import dev.parley.testkit.chat.LocalApi.Fault;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The scripted Slack is as strict as the real one, and fails as planned. */
class ScriptedSlackTest {
    private static final String CHANNEL = "C1";
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final TestClock clock = TestClock.at(Instant.parse("2026-08-01T10:00:00Z"));
    private final ScriptedSlack slack = new ScriptedSlack(clock);
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(LIMIT).build();

    @BeforeEach
    void open() {
        slack.openChannel(CHANNEL);
    }

    @AfterEach
    void close() {
        slack.close();
        client.shutdownNow();
        client.close();
    }

    private HttpResponse<String> call(String method, String type, String token, String body) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(slack.url() + "/" + method))
                        .timeout(LIMIT)
                        .header("Authorization", "Bearer " + token)
                        .header("Content-Type", type)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode post(String body) throws Exception {
        return Json.MAPPER.readTree(call("chat.postMessage", "application/json", ScriptedSlack.TOKEN, body)
                .body());
    }

    private JsonNode ask(String method, String form) throws Exception {
        return Json.MAPPER.readTree(call(method, "application/x-www-form-urlencoded", ScriptedSlack.TOKEN, form)
                .body());
    }

    @Test
    void timesOfMessagesOnlyGrow() throws Exception {
        String first = post("{\"channel\":\"C1\",\"text\":\"one\"}").path("ts").asString();
        clock.advance(Duration.ofHours(-1));
        String second = post("{\"channel\":\"C1\",\"text\":\"two\"}").path("ts").asString();

        assertThat(second).isGreaterThan(first).matches("[0-9]{10}\\.[0-9]{6}");
        assertThat(slack.answers(CHANNEL)).extracting(SlackPost::text).containsExactly("one", "two");
    }

    @Test
    void refusesWhatSlackRefuses() throws Exception {
        assertThat(call("chat.postMessage", "application/json", "wrong", "{}").body())
                .contains("invalid_auth");
        assertThat(post("{\"channel\":\"C9\",\"text\":\"x\"}").path("error").asString())
                .isEqualTo("channel_not_found");
        assertThat(post("{\"channel\":\"C1\",\"text\":\"x\",\"thread_ts\":\"1.0\"}")
                        .path("error")
                        .asString())
                .isEqualTo("thread_not_found");
        assertThat(post("{\"channel\":\"C1\",\"text\":\"\"}").path("error").asString())
                .isEqualTo("no_text");
        assertThat(post("{\"channel\":\"C1\",\"text\":\"" + "x".repeat(40_001) + "\"}")
                        .path("error")
                        .asString())
                .isEqualTo("msg_too_long");
        assertThat(post("{\"channel\":\"C1\",\"text\":\"x\",\"metadata\":{}}")
                        .path("error")
                        .asString())
                .isEqualTo("invalid_metadata_format");
        assertThat(call("users.info", "application/json", ScriptedSlack.TOKEN, "{}")
                        .body())
                .contains("invalid_form_data");
        slack.closeChannel(CHANNEL, "is_archived");
        assertThat(post("{\"channel\":\"C1\",\"text\":\"x\"}").path("error").asString())
                .isEqualTo("is_archived");
        assertThat(slack.messages(CHANNEL)).isEmpty();
    }

    @Test
    void countsPostsPerChannelAndTime() throws Exception {
        slack.openChannel("C2");
        slack.limitPosts(2, Duration.ofSeconds(3));
        post("{\"channel\":\"C1\",\"text\":\"x\"}");
        post("{\"channel\":\"C1\",\"text\":\"x\"}");

        HttpResponse<String> third = call(
                "chat.postMessage", "application/json", ScriptedSlack.TOKEN, "{\"channel\":\"C1\",\"text\":\"x\"}");

        assertThat(third.statusCode()).isEqualTo(429);
        assertThat(third.headers().firstValue("Retry-After")).contains("3");
        assertThat(post("{\"channel\":\"C2\",\"text\":\"x\"}").path("ok").asBoolean())
                .isTrue();
        clock.advance(Duration.ofSeconds(3));
        assertThat(post("{\"channel\":\"C1\",\"text\":\"x\"}").path("ok").asBoolean())
                .isTrue();
    }

    @Test
    void historyIsPagedNewestFirstAndShowsMetadataWhenAsked() throws Exception {
        for (int i = 0; i < 3; i++) {
            post("{\"channel\":\"C1\",\"text\":\"" + i
                    + "\",\"metadata\":{\"event_type\":\"e\",\"event_payload\":{}}}");
        }

        JsonNode first = ask("conversations.history", "channel=C1&limit=2&include_all_metadata=true");
        JsonNode second = ask(
                "conversations.history",
                "channel=C1&limit=2&cursor="
                        + first.at("/response_metadata/next_cursor").asString());

        assertThat(first.path("messages")
                        .valueStream()
                        .map(each -> each.path("text").asString()))
                .containsExactly("2", "1");
        assertThat(first.at("/messages/0/metadata/event_type").asString()).isEqualTo("e");
        assertThat(second.path("messages")
                        .valueStream()
                        .map(each -> each.path("text").asString()))
                .containsExactly("0");
        assertThat(second.at("/messages/0").has("metadata")).isFalse();
        assertThat(second.path("has_more").asBoolean()).isFalse();
    }

    @Test
    void threadsAreApartFromTheirChannel() throws Exception {
        SlackPost root = slack.say(CHANNEL, "U1", "root", null);
        slack.say(CHANNEL, "U1", "reply", root.ts());

        assertThat(ask("conversations.history", "channel=C1").path("messages")).hasSize(1);
        assertThat(ask("conversations.replies", "channel=C1&ts=" + root.ts())
                        .path("messages")
                        .valueStream()
                        .map(each -> each.path("text").asString()))
                .containsExactly("root", "reply");
    }

    @Test
    void replies_endBeforeLatestAndKeepATombstoneOfTheRoot() throws Exception {
        slack.openChannel("C1");
        SlackPost root = slack.say("C1", "U1", "root", null);
        slack.say("C1", "U1", "one", root.ts());
        SlackPost two = slack.say("C1", "U1", "two", root.ts());
        slack.delete(root);

        JsonNode page = ask("conversations.replies", "channel=C1&ts=" + root.ts() + "&latest=" + two.ts())
                .path("messages");

        assertThat(page).hasSize(2);
        assertThat(page.path(0).path("subtype").asString()).isEqualTo("tombstone");
        assertThat(page.path(1).path("text").asString()).isEqualTo("one");
    }

    @Test
    void rootWithoutReplies_leavesNothing() throws Exception {
        slack.openChannel("C1");
        SlackPost root = slack.say("C1", "U1", "root", null);
        slack.delete(root);

        assertThat(ask("conversations.replies", "channel=C1&ts=" + root.ts())
                        .path("error")
                        .asString())
                .isEqualTo("thread_not_found");
    }

    @Test
    void hiddenHistory_isRefusedUntilItIsShown() throws Exception {
        slack.openChannel("C1");
        SlackPost root = slack.say("C1", "U1", "root", null);
        String question = "channel=C1&ts=" + root.ts();
        slack.hideHistory("C1", "missing_scope");
        assertThat(ask("conversations.replies", question).path("error").asString())
                .isEqualTo("missing_scope");
        slack.showHistory("C1");
        assertThat(ask("conversations.replies", question).path("messages")).hasSize(1);
    }

    @Test
    void pingsAreNoticed() throws Exception {
        post("{\"channel\":\"C1\",\"text\":\"<!channel> &lt;!here&gt;\"}");

        assertThat(slack.pings()).containsExactly("<!channel>");
    }

    @Test
    void aLostAnswerWasPerformedAndALostRequestWasNot() throws Exception {
        slack.api().fail("chat.postMessage", new Fault.LoseAnswer());
        slack.api().fail("chat.postMessage", new Fault.LoseRequest());

        assertThatThrownBy(() -> post("{\"channel\":\"C1\",\"text\":\"one\"}")).isInstanceOf(IOException.class);
        assertThat(slack.messages(CHANNEL)).hasSize(1);
        assertThatThrownBy(() -> post("{\"channel\":\"C1\",\"text\":\"two\"}")).isInstanceOf(IOException.class);
        assertThat(slack.messages(CHANNEL)).hasSize(1);
        assertThat(post("{\"channel\":\"C1\",\"text\":\"three\"}").path("ok").asBoolean())
                .isTrue();
        assertThat(slack.api().requests("chat.postMessage")).hasSize(3);
    }

    @Test
    void filesNeedTheToken() throws Exception {
        URI url = URI.create(slack.addFile("F1", "a.txt", "text/plain", "hi".getBytes(StandardCharsets.UTF_8))
                .path("url_private_download")
                .asString());

        assertThat(client.send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(302);
        assertThat(client.send(
                                HttpRequest.newBuilder(url)
                                        .header("Authorization", "Bearer " + ScriptedSlack.TOKEN)
                                        .build(),
                                HttpResponse.BodyHandlers.ofString())
                        .body())
                .isEqualTo("hi");
    }

    @Test
    void eventsAreBroughtSignedAndAgainWithTheirNumber() {
        List<LocalApi.Request> got = new CopyOnWriteArrayList<>();
        try (LocalApi app = new LocalApi(request -> {
                    got.add(request);
                    return LocalApi.Answer.json(200, "");
                });
                SlackPostman postman = new SlackPostman(ScriptedSlack.SIGNING_SECRET, clock)) {
            ObjectNode envelope = SlackPostman.message(slack.say(CHANNEL, "U1", "早上好", null));
            assertThat(postman.bring(app.url(), envelope).statusCode()).isEqualTo(200);
            postman.bring(app.url(), envelope, 1, "http_timeout");
        }

        assertThat(got).hasSize(2);
        assertThat(got.getFirst().header("X-Slack-Retry-Num")).isEmpty();
        assertThat(got.getLast().header("X-Slack-Retry-Num")).contains("1");
        assertThat(got.getLast().header("X-Slack-Retry-Reason")).contains("http_timeout");
        assertThat(got.getFirst().body()).isEqualTo(got.getLast().body());
        assertThat(got.getFirst().header("X-Slack-Signature"))
                .contains(SlackPostman.sign(
                        ScriptedSlack.SIGNING_SECRET,
                        Long.toString(clock.instant().getEpochSecond()),
                        got.getFirst().body()));
    }
}
