package dev.parley.platforms.slack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Json;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.chat.LocalApi;
import dev.parley.testkit.chat.ScriptedSlack;
import dev.parley.testkit.chat.SlackPost;
import dev.parley.testkit.chat.SlackPostman;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An agent's edits and deletions in a thread reach Slack, in order after the message. */
class SlackRevisionTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final UUID OPERATOR = UUID.randomUUID();
    private static final String CHANNEL = "C0REVISED1";

    private final ScriptedSlack slack = new ScriptedSlack(Clock.systemUTC());
    private final SlackPostman postman = new SlackPostman(ScriptedSlack.SIGNING_SECRET, Clock.systemUTC());
    private RunningServer server;
    private Api operator;
    private Api agent;
    private String thread;

    @BeforeEach
    void start() {
        slack.openChannel(CHANNEL);
        server = RunningServer.start(slack.flags("--operators", OPERATOR.toString()));
        operator = server.api(OPERATOR, "Root");
        String id = post(operator, "/api/v1/owner/agents", Map.of("display_name", "Scribe", "visibility", "private"))
                .text("agent_id");
        agent = server.api(post(
                        operator,
                        "/api/v1/owner/external-agents/tokens",
                        Map.of("agent_actor_id", id, "scopes", List.of("observe", "speak")))
                .text("raw_token"));
        SlackPost post = slack.say(CHANNEL, "U0000000001", "hello", null);
        assertThat(postman.bring(server.uri().resolve("/api/v1/integrations/slack/events"), SlackPostman.message(post))
                        .statusCode())
                .isEqualTo(200);
        thread = "/api/v1/chat/threads/"
                + server.select("select thread_id::text from bindings").getFirst();
        post(operator, thread + "/participants", Map.of("sender_ids", List.of("agent:" + id)));
        // The first answer belongs to another agent.
        await().atMost(LIMIT).until(() -> slack.answers(CHANNEL).size() == 1);
    }

    @AfterEach
    void stop() {
        server.close();
        postman.close();
        slack.close();
    }

    private static Api.Reply post(Api api, String path, Object body) {
        Api.Reply reply = api.post(path, Json.MAPPER.writeValueAsString(body));
        assertThat(reply.status()).as(reply.toString()).isLessThan(300);
        return reply;
    }

    private void awaitShown(String... texts) {
        await().atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(slack.answers(CHANNEL).stream().skip(1).map(SlackPost::shown))
                                .containsExactly(texts));
    }

    @Test
    void anEditAndADeletionReachSlack() {
        String first = post(agent, thread + "/agent-messages", Map.of("content", "The train leaves at 9."))
                .text("id");
        post(agent, thread + "/agent-messages", Map.of("content", "Platform 4."));
        awaitShown("The train leaves at 9.", "Platform 4.");
        slack.api().fail("/chat.update", new LocalApi.Fault.LoseAnswer());
        assertThat(agent.patch(thread + "/messages/" + first, "{\"content\":\"The train leaves at 10.\"}")
                        .status())
                .isEqualTo(200);
        awaitShown("The train leaves at 10.", "Platform 4.");
        assertThat(agent.delete(thread + "/messages/" + first).status()).isEqualTo(200);
        awaitShown("Platform 4.");
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(server.select("select distinct state from deliveries"))
                        .containsExactly("sent"));
    }

    /** In any order of execution Slack ends with the thread's final text. */
    @Test
    void editWaitsForItsMessage() {
        slack.api().fail("/chat.postMessage", new LocalApi.Fault.LoseAnswer());
        String id = post(agent, thread + "/agent-messages", Map.of("content", "word ".repeat(990)))
                .text("id");
        assertThat(agent.patch(thread + "/messages/" + id, "{\"content\":\"short\"}")
                        .status())
                .isEqualTo(200);
        awaitShown("short");
    }
}
