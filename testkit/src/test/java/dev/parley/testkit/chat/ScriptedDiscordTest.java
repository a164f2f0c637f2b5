package dev.parley.testkit.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.testkit.TestClock;
import dev.parley.testkit.chat.DiscordChannel.Message;
import dev.parley.testkit.chat.DiscordChannel.User;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The scripted Discord is as strict as the real one in the parts that Parley's adapter relies on. */
class ScriptedDiscordTest {
    private static final User OLIVIA = new User("302050872383242240", "olivia", null, false);

    private final HttpClient client = HttpClient.newHttpClient();
    private final TestClock clock = TestClock.at(Instant.parse("2026-08-12T09:00:00Z"));
    private final ScriptedDiscord discord = new ScriptedDiscord(clock);
    private final DiscordChannel channel = discord.open("901");

    @AfterEach
    void end() {
        client.close();
        discord.close();
    }

    private HttpResponse<String> send(HttpRequest.Builder request, String token)
            throws IOException, InterruptedException {
        return client.send(
                request.header("Authorization", "Bot " + token)
                        .header("User-Agent", "DiscordBot (test, 1)")
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(discord.url() + path)), ScriptedDiscord.TOKEN);
    }

    private HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return send(
                HttpRequest.newBuilder(URI.create(discord.url() + path)).POST(BodyPublishers.ofString(body)),
                ScriptedDiscord.TOKEN);
    }

    private static ObjectNode message(String text, String nonce) {
        ObjectNode body = Json.MAPPER
                .createObjectNode()
                .put("content", text)
                .put("nonce", nonce)
                .put("enforce_nonce", true);
        body.putObject("allowed_mentions").putArray("parse").add("users");
        return body;
    }

    private HttpResponse<String> say(String text, String nonce) throws IOException, InterruptedException {
        return post(
                "/channels/" + channel.id() + "/messages", message(text, nonce).toString());
    }

    private static JsonNode json(HttpResponse<String> answer) {
        return Json.MAPPER.readTree(answer.body());
    }

    @Test
    void takesAMessageAndTellsItsIdAndNonce() throws Exception {
        JsonNode taken = json(say("  Hello 早 ", "n1"));

        assertThat(taken.path("nonce").asString()).isEqualTo("n1");
        assertThat(taken.path("content").asString()).isEqualTo("Hello 早");
        assertThat(channel.messages()).singleElement().satisfies(said -> {
            assertThat(said.id()).isEqualTo(taken.path("id").asString());
            assertThat(said.author()).isEqualTo(ScriptedDiscord.BOT);
        });
        assertThat(discord.violations()).isEmpty();
    }

    @Test
    void remembersANonceForAWhile() throws Exception {
        String first = json(say("Hello", "n1")).path("id").asString();
        clock.advance(Duration.ofMinutes(3).minusMillis(1));
        assertThat(json(say("Hello", "n1")).path("id").asString()).isEqualTo(first);
        clock.advance(Duration.ofMillis(1));
        assertThat(json(say("Hello", "n1")).path("id").asString()).isNotEqualTo(first);
        assertThat(channel.messages()).hasSize(2);
    }

    @Test
    void refusesWhatDiscordRefuses() throws Exception {
        assertThat(say("", "n1").statusCode()).isEqualTo(400);
        assertThat(say("\n ", "n1").statusCode()).isEqualTo(400);
        assertThat(say("👍".repeat(2_001), "n1").statusCode()).isEqualTo(400);
        assertThat(say("x", "n".repeat(26)).statusCode()).isEqualTo(400);
        assertThat(post("/channels/1/messages", message("x", "n1").toString()).statusCode())
                .isEqualTo(404);
        ObjectNode everyone = message("x", "n1");
        everyone.putObject("allowed_mentions").putArray("parse").add("everyone");
        assertThat(post("/channels/" + channel.id() + "/messages", everyone.toString())
                        .statusCode())
                .isEqualTo(400);
        assertThat(post("/channels/" + channel.id() + "/messages", "not json").statusCode())
                .isEqualTo(400);
        assertThat(channel.messages()).isEmpty();
        assertThat(discord.violations()).hasSize(6);
        assertThat(say("👍".repeat(2_000), "n1").statusCode()).isEqualTo(200);
    }

    @Test
    void wantsTheBotsToken() throws Exception {
        HttpResponse<String> refused =
                send(HttpRequest.newBuilder(URI.create(discord.url() + "/users/@me")), "another");

        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(discord.violations()).hasSize(1);
        assertThat(json(get("/users/@me")).path("id").asString()).isEqualTo(ScriptedDiscord.BOT.id());
    }

    @Test
    void refusesWhereTheBotMayNotWrite() throws Exception {
        discord.refuse(channel, 50_013, "Missing Permissions");

        HttpResponse<String> refused = say("Hello", "n1");

        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(json(refused).path("code").asInt()).isEqualTo(50_013);
    }

    @Test
    void keepsToItsLimits() throws Exception {
        discord.limitPosts(2, Duration.ofSeconds(5));
        say("1", "n1");
        clock.advance(Duration.ofMillis(500));
        say("2", "n2");
        HttpResponse<String> limited = say("3", "n3");

        assertThat(limited.statusCode()).isEqualTo(429);
        assertThat(json(limited).path("retry_after").asDouble()).isEqualTo(4.5);
        assertThat(limited.headers().firstValue("Retry-After")).hasValue("5");
        clock.advance(Duration.ofMillis(4_500));
        assertThat(say("3", "n3").statusCode()).isEqualTo(200);
        discord.closeFor(Duration.ofSeconds(2));
        assertThat(json(say("4", "n4")).path("global").asBoolean()).isTrue();
    }

    @Test
    void cutsItsHistoryAsDiscordDoes() throws Exception {
        List<String> said = IntStream.range(0, 5)
                .mapToObj(i -> discord.say(channel, OLIVIA, "m" + i).id())
                .toList();
        String history = "/channels/" + channel.id() + "/messages";

        assertThat(contents(get(history + "?limit=2"))).containsExactly("m4", "m3");
        assertThat(contents(get(history + "?limit=2&after=" + said.get(0)))).containsExactly("m2", "m1");
        assertThat(contents(get(history + "?limit=2&before=" + said.get(3)))).containsExactly("m2", "m1");
        assertThat(contents(get(history + "?after=" + said.get(4)))).isEmpty();
        assertThat(get(history + "?limit=101").statusCode()).isEqualTo(400);
    }

    @Test
    void threadAtAMessage_beginsWithAReferenceToIt() throws Exception {
        Message root = discord.say(channel, OLIVIA, "root");
        DiscordChannel thread = discord.openThread(channel, root);
        String history = "/channels/" + thread.id() + "/messages";

        JsonNode first = json(get(history)).path(0);
        assertThat(thread.id()).isEqualTo(root.id());
        assertThat(first.path("type").asInt()).isEqualTo(21);
        assertThat(first.at("/referenced_message/content").asString()).isEqualTo("root");

        discord.delete(channel, root);
        assertThat(json(get(history)).path(0).path("referenced_message").isNull())
                .isTrue();
        assertThat(get("/channels/" + channel.id() + "/messages/" + root.id()).statusCode())
                .isEqualTo(404);
    }

    @Test
    void hiddenHistory_isRefused() throws Exception {
        Message message = discord.say(channel, OLIVIA, "hello");
        String history = "/channels/" + channel.id() + "/messages";
        assertThat(json(get(history + "/" + message.id())).path("content").asString())
                .isEqualTo("hello");
        discord.hideHistory(channel);

        assertThat(get(history).statusCode()).isEqualTo(403);
        assertThat(get(history + "/" + message.id()).statusCode()).isEqualTo(403);
    }

    private static List<String> contents(HttpResponse<String> page) {
        return json(page)
                .valueStream()
                .map(message -> message.path("content").asString())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void showsNoncesInItsHistoryOnlyIfItIsToldTo(boolean shows) throws Exception {
        discord.showNonces(shows);
        say("Hello", "n1");

        JsonNode page = json(get("/channels/" + channel.id() + "/messages"));

        assertThat(page.path(0).has("nonce")).isEqualTo(shows);
    }

    @Test
    void idsGrowAndTellTheTime() {
        long first = Long.parseLong(discord.nextId());
        long second = Long.parseLong(discord.nextId());
        clock.advance(Duration.ofMillis(1));
        long third = Long.parseLong(discord.nextId());

        assertThat(second).isGreaterThan(first);
        assertThat((third >>> 22) - (first >>> 22)).isEqualTo(1);
        assertThat(Instant.ofEpochMilli((third >>> 22) + 1_420_070_400_000L)).isEqualTo(clock.instant());
    }

    @Test
    void keepsFilesAndSeesTyping() throws Exception {
        URI file = discord.keep("cat.png", new byte[] {1, 2, 3});

        assertThat(client.send(HttpRequest.newBuilder(file).build(), BodyHandlers.ofByteArray())
                        .body())
                .containsExactly(1, 2, 3);
        assertThat(post("/channels/" + channel.id() + "/typing", "{}").statusCode())
                .isEqualTo(204);
        assertThat(discord.typing()).containsExactly(channel.id());
    }
}
