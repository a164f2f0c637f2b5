package dev.parley.platforms.slack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.app.Server;
import dev.parley.app.config.Config;
import dev.parley.attachments.images.SampleImages;
import dev.parley.protocol.Json;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.chat.ScriptedSlack;
import dev.parley.testkit.chat.SlackPost;
import dev.parley.testkit.chat.SlackPostman;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A whole server and a scripted Slack: repeated and reordered events are stored and answered once. */
class SlackServerTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final UUID OPERATOR = UUID.randomUUID();
    private static final String OLIVIA = "U06STGBF4Q0";

    @TempDir
    private static Path scratch;

    private static ScriptedSlack slack;
    private static SlackPostman postman;
    private static RunningServer server;
    private static Server second;
    private String channel = "";

    @BeforeAll
    static void start() {
        slack = new ScriptedSlack(Clock.systemUTC());
        slack.addUser(OLIVIA, "Olivia", "Olivia Example");
        postman = new SlackPostman(ScriptedSlack.SIGNING_SECRET, Clock.systemUTC());
        server = RunningServer.start(flags().toArray(String[]::new));
        List<String> arguments = new ArrayList<>(List.of(
                "--port", "0",
                "--jwt-secret", "a secret that only the second node knows, which is fine",
                "--data", scratch.toString(),
                "--database-url", server.database().jdbcUrl(),
                "--database-user", server.database().user(),
                "--database-password", server.database().password()));
        arguments.addAll(flags());
        second = Server.start(Config.load(arguments, Map.of()), Clock.systemUTC());
    }

    private static List<String> flags() {
        return List.of(slack.flags(
                "--operators",
                OPERATOR.toString(),
                "--slack-file-hosts",
                slack.api().url().getAuthority()));
    }

    @AfterAll
    static void stop() {
        second.close();
        server.close();
        postman.close();
        slack.close();
    }

    @BeforeEach
    void openChannel() {
        channel = slack.openChannel();
    }

    private static URI first() {
        return server.uri().resolve("/api/v1/integrations/slack/events");
    }

    private static URI other() {
        return URI.create(second.url() + "/api/v1/integrations/slack/events");
    }

    private SlackPost say(String text) {
        return slack.say(channel, OLIVIA, text, null);
    }

    private static void bring(URI node, ObjectNode event) {
        HttpResponse<String> answer = postman.bring(node, event);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private static void bringAtOnce(List<Runnable> deliveries) throws Exception {
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Object>> calls =
                    deliveries.stream().map(Executors::callable).toList();
            for (Future<Object> each : callers.invokeAll(calls)) {
                each.get();
            }
        }
    }

    private long count(String table, String where) {
        return server.count("select count(*) from " + table + " x join bindings b using (thread_id) where b.channel = '"
                + channel + "' and " + where);
    }

    private List<String> texts() {
        return server.select("select content from entries e join bindings b using (thread_id) where b.channel = '"
                + channel + "' and e.author like 'slack:U%' order by e.seq");
    }

    private void answered(int times) {
        await().atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(count("runs", "x.state = 'completed'")).isEqualTo(times));
        assertThat(count("runs", "true")).isEqualTo(times);
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(server.select("select d.state from deliveries d join bindings b"
                                + " using (thread_id) where b.channel = '" + channel + "'"))
                        .hasSize(times)
                        .containsOnly("sent"));
        assertThat(slack.answers(channel)).hasSize(times);
    }

    @Test
    void theChallengeIsAnswered() {
        HttpResponse<String> answer = postman.bring(first(), SlackScene.payload("url_verification"));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{\"challenge\":\"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P\"}");
    }

    @Test
    void unsignedRequestsAreRefused() {
        try (SlackPostman stranger = new SlackPostman("another secret", Clock.systemUTC())) {
            assertThat(stranger.bring(first(), SlackPostman.message(say("hello")))
                            .statusCode())
                    .isEqualTo(401);
        }
        assertThat(texts()).isEmpty();
    }

    @Test
    void oneEventBroughtFiveTimesIsOneMessageAndOneAnswer() {
        ObjectNode event = SlackPostman.message(say("how are you, 早上好 &amp; مرحبا 👍🏽?"));
        for (int retry = 0; retry < 5; retry++) {
            HttpResponse<String> answer =
                    postman.bring(first(), event, retry / 2, retry % 2 == 0 ? null : "http_timeout");
            assertThat(answer.statusCode()).isEqualTo(200);
        }

        assertThat(texts()).containsExactly("how are you, 早上好 & مرحبا 👍🏽?");
        answered(1);
    }

    /** The first request may never have arrived. */
    @Test
    void retryWithoutItsFirstRequestIsAccepted() {
        postman.bring(first(), SlackPostman.message(say("only a retry")), 2, "http_error");

        assertThat(texts()).containsExactly("only a retry");
        answered(1);
    }

    @Test
    void aMessageAndItsMentionAreOneInEitherOrder() {
        SlackPost one = say("<@" + ScriptedSlack.BOT_USER + "> one");
        bring(first(), SlackPostman.message(one));
        bring(first(), SlackPostman.mention(one));
        answered(1);
        SlackPost two = say("<@" + ScriptedSlack.BOT_USER + "> two");
        bring(first(), SlackPostman.mention(two));
        bring(first(), SlackPostman.message(two));

        assertThat(texts())
                .containsExactly("<@" + ScriptedSlack.BOT_USER + "> one", "<@" + ScriptedSlack.BOT_USER + "> two");
        answered(2);
    }

    @Test
    void twoNodesAtOnceStoreItOnceAndAnswerOnce() throws Exception {
        SlackPost post = say("<@" + ScriptedSlack.BOT_USER + "> status?");
        ObjectNode message = SlackPostman.message(post);
        ObjectNode mention = SlackPostman.mention(post);
        List<Runnable> deliveries = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            deliveries.add(() -> bring(first(), message));
            deliveries.add(() -> bring(other(), message));
            deliveries.add(() -> bring(first(), mention));
            deliveries.add(() -> bring(other(), mention));
        }
        Collections.shuffle(deliveries, new Random(8));

        bringAtOnce(deliveries);

        assertThat(texts()).containsExactly("<@" + ScriptedSlack.BOT_USER + "> status?");
        answered(1);
    }

    @Test
    void eventsInAnyOrderAreAllStored() {
        List<SlackPost> posts = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            posts.add(say("number " + i));
        }
        Collections.shuffle(posts, new Random(3));

        posts.forEach(post -> bring(first(), SlackPostman.message(post)));
        posts.forEach(post -> bring(other(), SlackPostman.message(post)));

        assertThat(texts()).containsExactlyInAnyOrder("number 0", "number 1", "number 2", "number 3", "number 4");
    }

    @Test
    void threadOfSlackIsAThreadOfItsOwn() {
        SlackPost root = say("root");
        bring(first(), SlackPostman.message(root));
        bring(first(), SlackPostman.message(slack.say(channel, OLIVIA, "reply", root.ts())));

        assertThat(server.select("select external_thread from bindings where channel = '" + channel
                        + "' order by external_thread"))
                .containsExactly("", root.ts());
    }

    @Test
    void questionInAThreadIsAnsweredThere() {
        SlackPost root = say("root");
        SlackPost reply = slack.say(channel, OLIVIA, "reply", root.ts());

        bring(first(), SlackPostman.message(reply));

        answered(1);
        assertThat(slack.answers(channel)).extracting(SlackPost::thread).containsExactly(root.ts());
    }

    @Test
    void aDirectMessageIsAnswered() {
        channel = channel.replaceFirst("C", "D");
        slack.openChannel(channel);

        bring(first(), SlackPostman.message(say("just between us")));

        answered(1);
    }

    /** The messages of the channel as their owner reads them. */
    private List<JsonNode> messages() {
        String thread = server.select("select thread_id from bindings where channel = '" + channel + "'")
                .getFirst();
        return server.api(OPERATOR, "Root")
                .get("/api/v1/chat/threads/" + thread + "/messages")
                .json()
                .path("messages")
                .valueStream()
                .toList();
    }

    @Test
    void ownAnswersAreNotStoredAgain() {
        bring(first(), SlackPostman.message(say("hello")));
        answered(1);
        int before = messages().size();

        SlackPost answer = slack.answers(channel).getFirst();
        bring(first(), SlackPostman.message(answer));
        bring(other(), SlackPostman.message(answer));

        assertThat(messages()).hasSize(before);
        answered(1);
    }

    @Test
    void editsReactionsAndDeletionsArrive() {
        SlackPost post = say("3 &lt; 4");
        bring(first(), SlackPostman.message(post));
        answered(1);

        bring(first(), SlackPostman.changed(post, "3 &lt; 5"));
        ObjectNode reaction = SlackPostman.reaction(post, OLIVIA, "eyes", true);
        bring(first(), reaction);
        bring(other(), reaction);

        assertThat(messages().getFirst().path("content").asString()).isEqualTo("3 < 5");
        assertThat(messages().getFirst().path("reactions").toString()).containsOnlyOnce("eyes");

        bring(first(), SlackPostman.reaction(post, OLIVIA, "eyes", false));
        assertThat(messages().getFirst().path("reactions").toString()).doesNotContain("eyes");

        bring(first(), SlackPostman.deleted(post));
        assertThat(messages().toString()).doesNotContain("3 < 5");
        answered(1);
    }

    @Test
    void aPictureIsKept() {
        byte[] picture = SampleImages.png(2, 2);
        ObjectNode event = SlackPostman.message(say(""));
        ObjectNode told = (ObjectNode) event.get("event");
        told.put("subtype", "file_share")
                .putArray("files")
                .add(slack.addFile("F" + channel, "Bild 早.png", "image/png", picture));

        bring(first(), event);

        JsonNode message = messages().getFirst();
        assertThat(message.path("content").asString()).isEmpty();
        assertThat(message.at("/metadata/user_message_attachments/mime_type").asString())
                .isEqualTo("image/png");
        assertThat(message.toString()).contains("Bild 早.png").doesNotContain(ScriptedSlack.TOKEN);
    }

    @Test
    void otherEventsAreAcceptedAndIgnored() {
        ObjectNode join = SlackScene.payload("channel_join");
        ((ObjectNode) join.get("event")).put("channel", channel);

        bring(first(), join);

        assertThat(texts()).isEmpty();
    }

    @Test
    void messagesWithoutTextAreStored() {
        for (String blocks : List.of(
                "[{\"type\": \"section\", \"text\": {\"type\": \"mrkdwn\", \"text\": \"早上好\"}}]",
                "[{\"type\": \"divider\"}]")) {
            ObjectNode event = SlackPostman.message(say(""));
            ((ObjectNode) event.get("event")).set("blocks", Json.MAPPER.readTree(blocks));
            bring(first(), event);
        }

        assertThat(texts()).containsExactly("早上好", "");
        assertThat(count("inbound_events", "true")).isEqualTo(2);
    }

    @Test
    void messageOfABotIsStoredAndNotAnswered() {
        ObjectNode bot = SlackScene.payload("bot_message");
        ((ObjectNode) bot.get("event")).put("channel", channel);

        bring(first(), bot);

        assertThat(count("entries", "x.author = 'slack:B0JENKINS01'")).isEqualTo(1);
        assertThat(count("runs", "true")).isZero();
    }
}
