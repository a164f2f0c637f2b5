package dev.parley.api.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Actor;
import dev.parley.protocol.chat.NewThread;
import dev.parley.protocol.chat.Participant;
import dev.parley.protocol.chat.PostedMessage;
import dev.parley.protocol.chat.ThreadView;
import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The mentions of a message, by id and by name, through the whole server. */
class MentionTest {
    private static RunningServer server;
    private static ChatCaller olivia;
    private static ChatCaller.Agent agent;
    private static UUID paulId;
    private String path;

    @BeforeAll
    static void start() {
        server = RunningServer.start("--rate-limits", "off");
        olivia = ChatCaller.user(server, "Olivia");
        agent = olivia.newAgent("Olivia's Agent");
        paulId = UUID.randomUUID();
        server.as(paulId, "Paul").createThread(NewThread.EMPTY);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void newThread() {
        ThreadView thread = olivia.post(
                        "/chat/threads",
                        Map.of(
                                "participants",
                                List.of("user:" + paulId, agent.actor().value())))
                .as(ThreadView.class);
        path = "/chat/threads/" + thread.threadId();
        await().atMost(Duration.ofSeconds(20))
                .until(() -> olivia.get(path).body().toString().contains("\"Paul\""));
    }

    private List<Actor> mentions(Map<String, Object> body) {
        return olivia.post(path + "/messages", body)
                .as(PostedMessage.class)
                .message()
                .mentions();
    }

    @Test
    void idsComeFirstAndNamesAreAdded() {
        assertThat(mentions(Map.of(
                        "content",
                        "@olivia's agent, ask @Paul",
                        "mentions",
                        List.of(olivia.actor().value(), olivia.actor().value()))))
                .containsExactly(olivia.actor(), agent.actor(), Actor.user(paulId));
        assertThat(mentions(Map.of("content", "@Nobody and me@olivia"))).isEmpty();
    }

    @Test
    void mentionsNameParticipantsOnly() {
        ChatCaller.Reply refused = olivia.post(
                path + "/messages", Map.of("content", "x", "mentions", List.of("user:" + UUID.randomUUID())));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body().path("errors").get(0).path("field").asString())
                .isEqualTo("mentions[0]");
        assertThat(olivia.post(path + "/messages", Map.of("content", "x", "mentions", List.of("Paul")))
                        .status())
                .isEqualTo(400);
        olivia.delete(path + "/participants/user:" + paulId);
        assertThat(mentions(Map.of("content", "@Paul?"))).isEmpty();
    }

    @Test
    void agentIsMentionedByItsCurrentName() {
        ChatCaller.Agent robin = olivia.newAgent("Robin");
        olivia.post(
                path + "/participants",
                Map.of("sender_ids", List.of(robin.actor().value())));
        olivia.patch("/owner/agents/" + robin.view().agentId(), Map.of("display_name", "Wren"));
        assertThat(olivia.get(path).as(ThreadView.class).participants())
                .filteredOn(each -> each.senderId().equals(robin.actor()))
                .extracting(Participant::displayName)
                .containsExactly("Wren");
        assertThat(mentions(Map.of("content", "@Wren?"))).containsExactly(robin.actor());
        assertThat(mentions(Map.of("content", "@Robin?"))).isEmpty();
    }

    @Test
    void aRetryAfterARenameGetsTheFirstAnswer() {
        Map<String, Object> body = Map.of("content", "@Olivia's Agent go", "client_message_id", "k");
        PostedMessage first = olivia.post(path + "/messages", body).as(PostedMessage.class);
        assertThat(first.message().mentions()).containsExactly(agent.actor());
        olivia.delete(path + "/participants/" + agent.actor());
        ChatCaller.Reply again = olivia.post(path + "/messages", body);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.as(PostedMessage.class).message()).isEqualTo(first.message());
    }

    /** An agent's rights do not depend on an @: names are looked up with the sender's rights. */
    @Test
    void senderWithTheRightToPostMayMention() {
        ChatCaller.Agent mute = olivia.newAgent("Mute", "speak");
        olivia.post(
                path + "/participants",
                Map.of("sender_ids", List.of(mute.actor().value())));
        assertThat(mute.api()
                        .post(path + "/agent-messages", Map.of("content", "@Olivia"))
                        .as(PostedMessage.class)
                        .message()
                        .mentions())
                .containsExactly(olivia.actor());
        olivia.post(
                path + "/participants",
                Map.of("sender_ids", List.of(agent.actor().value())));
        olivia.delete(path + "/participants/" + olivia.actor());
        assertThat(olivia.post(
                                path + "/agent-messages",
                                Map.of(
                                        "content",
                                        "@Paul",
                                        "agent_id",
                                        agent.view().agentId()))
                        .status())
                .as("its agent is still there")
                .isEqualTo(201);
    }
}
