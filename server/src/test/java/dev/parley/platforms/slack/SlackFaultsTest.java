package dev.parley.platforms.slack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.RunningServer;
import dev.parley.testkit.chat.LocalApi;
import dev.parley.testkit.chat.LocalApi.Fault;
import dev.parley.testkit.chat.ScriptedSlack;
import dev.parley.testkit.chat.SlackPost;
import dev.parley.testkit.chat.SlackPostman;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** After faults on the way to Slack an answer is there once, or its delivery names the reason. */
class SlackFaultsTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String POST = "chat.postMessage";

    private static ScriptedSlack slack;
    private static SlackPostman postman;
    private static RunningServer server;
    private static URI events;
    private String channel = "";

    @BeforeAll
    static void start() {
        slack = new ScriptedSlack(Clock.systemUTC());
        postman = new SlackPostman(ScriptedSlack.SIGNING_SECRET, Clock.systemUTC());
        server =
                RunningServer.start(slack.flags("--operators", UUID.randomUUID().toString()));
        events = server.uri().resolve("/api/v1/integrations/slack/events");
    }

    @AfterAll
    static void stop() {
        server.close();
        postman.close();
        slack.close();
    }

    @BeforeEach
    void openChannel() {
        slack.api().heal();
        channel = "C" + UUID.randomUUID();
        slack.openChannel(channel);
    }

    private void ask() {
        postman.bring(events, SlackPostman.message(slack.say(channel, "U06STGBF4Q0", "hello", null)));
    }

    private List<String> states() {
        return server.select("select d.state || coalesce(' ' || d.external_id, '') from deliveries d join bindings b"
                + " using (thread_id) where b.channel = '" + channel + "' order by d.seq, d.part");
    }

    private void assertArrivesOnce() {
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(states())
                        .isNotEmpty()
                        .isEqualTo(slack.answers(channel).stream()
                                .map(SlackPost::ts)
                                .map(ts -> "sent " + ts)
                                .toList()));
        assertThat(slack.answers(channel)).hasSize(1);
    }

    @Test
    void aLostAnswerIsFoundAgain() {
        slack.api().fail(POST, new Fault.LoseAnswer());

        ask();

        assertArrivesOnce();
        assertThat(slack.api().requests("conversations.history")).isNotEmpty();
    }

    @Test
    void aLostRequestIsSentAgain() {
        slack.api().fail(POST, new Fault.LoseRequest());

        ask();

        assertArrivesOnce();
    }

    @Test
    void rateLimitOfSlackIsWaitedOut() {
        slack.api().fail(POST, new Fault.Instead(LocalApi.Answer.json(429, "").with("Retry-After", "1")));

        ask();

        assertArrivesOnce();
    }

    @Test
    void aBrokenLookupIsRepeated() {
        slack.api().fail(POST, new Fault.LoseAnswer());
        slack.api().fail("conversations.history", new Fault.LoseAnswer());
        slack.api().fail("conversations.history", new Fault.Instead(LocalApi.Answer.json(503, "")));

        ask();

        assertArrivesOnce();
    }

    @Test
    void refusedPostNamesItsReason() {
        slack.closeChannel(channel, "not_in_channel");

        ask();

        await().atMost(LIMIT).untilAsserted(() -> assertThat(states()).containsExactly("dead"));
        assertThat(server.select("select problem from deliveries d join bindings b using (thread_id)"
                        + " where b.channel = '" + channel + "'"))
                .containsExactly("Slack says not_in_channel.");
    }
}
