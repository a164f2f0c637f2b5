package dev.parley.api.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import dev.parley.protocol.chat.Engagement;
import dev.parley.protocol.chat.EventEnvelope;
import dev.parley.protocol.chat.EventPage;
import dev.parley.protocol.chat.Message;
import dev.parley.protocol.chat.MessagePage;
import dev.parley.protocol.chat.PostedMessage;
import dev.parley.protocol.chat.ThreadView;
import dev.parley.storage.Database;
import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The agents that answer a message: decided at the commit and stored with the message. */
class EngagementTest {
    private static RunningServer server;
    private static Database database;
    private static ChatCaller olivia;
    private static ChatCaller.Agent ada;
    private static ChatCaller.Agent bob;
    private UUID thread;
    private String path;

    @BeforeAll
    static void start() {
        server = RunningServer.start("--rate-limits", "off");
        database = Database.open(server.database(), 1);
        olivia = ChatCaller.user(server, "Olivia");
        ada = olivia.newAgent("Ada");
        bob = olivia.newAgent("Bob");
    }

    @AfterAll
    static void stop() {
        database.close();
        server.close();
    }

    @BeforeEach
    void newThread() {
        ThreadView made = olivia.newThread(ada.api(), bob.api());
        thread = made.threadId().value();
        path = "/chat/threads/" + thread;
    }

    /** Posts and returns the recorded decisions for Ada and Bob, each as +reason or -reason. */
    private List<String> person(String content) {
        return recorded(olivia.post(path + "/messages", Map.of("content", content)));
    }

    private List<String> agent(ChatCaller.Agent who, String content) {
        return recorded(who.api().post(path + "/agent-messages", Map.of("content", content)));
    }

    private List<String> recorded(ChatCaller.Reply reply) {
        long seq = reply.as(PostedMessage.class).message().threadSeq();
        String stored = database.read(
                handle -> handle.createQuery("select engagement from entries where thread_id = :thread and seq = :seq")
                        .bind("thread", thread)
                        .bind("seq", seq)
                        .mapTo(String.class)
                        .one());
        List<String> reasons = new ArrayList<>();
        for (ChatCaller.Agent each : List.of(ada, bob)) {
            Json.MAPPER.readTree(stored).forEach(decision -> {
                if (decision.path("agent").asString().equals(each.actor().value())) {
                    reasons.add((decision.path("respond").asBoolean() ? "+" : "-")
                            + decision.path("reason").asString());
                }
            });
        }
        return reasons;
    }

    @Test
    void theModeOfTheThreadAndOfTheAgentDecide() {
        assertThat(person("hello")).containsExactly("+open", "+open");
        olivia.post(path + "/mode", Map.of("participation_mode", "invocation_only"));
        assertThat(person("hello")).containsExactly("-not_mentioned", "-not_mentioned");
        olivia.post(
                path + "/mode",
                Map.of("participation_mode", "open", "agent_id", ada.view().agentId()));
        assertThat(person("hello")).containsExactly("+open", "-not_mentioned");
        assertThat(person("@bob?")).containsExactly("+open", "+mentioned");
        olivia.delete(path + "/participants/" + bob.actor());
        assertThat(person("hello")).containsExactly("+open");
    }

    /** People see why an agent did, or did not, answer; and all ways to read a message agree. */
    @Test
    void decisionIsShownToAllReaders() {
        olivia.post(path + "/mode", Map.of("participation_mode", "invocation_only"));
        List<Engagement> expected = List.of(
                new Engagement(ada.actor(), true, "mentioned", null),
                new Engagement(bob.actor(), false, "not_mentioned", null));
        PostedMessage posted =
                olivia.post(path + "/messages", Map.of("content", "@Ada?")).as(PostedMessage.class);
        assertThat(posted.message().engagement()).containsExactlyInAnyOrderElementsOf(expected);
        for (ChatCaller reader : List.of(olivia, bob.api())) {
            Message read = reader.get(path + "/messages")
                    .as(MessagePage.class)
                    .messages()
                    .getLast();
            assertThat(read.engagement()).isEqualTo(posted.message().engagement());
            EventEnvelope event =
                    reader.get(path + "/events").as(EventPage.class).events().getLast();
            assertThat(event.engagement()).isEqualTo(posted.message().engagement());
        }
        String alone = "/chat/threads/" + olivia.newThread().threadId();
        assertThat(olivia.post(alone + "/messages", Map.of("content", "hm"))
                        .body()
                        .get("engagement")
                        .isNull())
                .as("without agents")
                .isTrue();
    }

    @Test
    void anAgentThatIsSwitchedOffOrDeletedIsNotEngaged() {
        ChatCaller.Agent cleo = olivia.newAgent("Cleo");
        ChatCaller.Agent dan = olivia.newAgent("Dan");
        ThreadView made = olivia.newThread(cleo.api(), dan.api(), ada.api());
        String asked = "/chat/threads/" + made.threadId();
        assertThat(olivia.patch("/owner/agents/" + cleo.view().agentId(), Map.of("is_active", false))
                        .status())
                .isEqualTo(200);
        assertThat(olivia.delete("/owner/agents/" + dan.view().agentId()).status())
                .isEqualTo(200);
        olivia.post(asked + "/messages", Map.of("content", "@Cleo, @Dan, @Ada?"));
        List<String> stored = server.select("""
                select each ->> 'agent' || ' ' || (each ->> 'respond') || ' ' || (each ->> 'reason')
                from entries e, json_array_elements(e.engagement) as each where e.thread_id = '%s'
                """.formatted(made.threadId()));
        assertThat(stored)
                .containsExactlyInAnyOrder(
                        cleo.actor() + " false inactive",
                        dan.actor() + " false inactive",
                        ada.actor() + " true mentioned");
    }

    /** The number of entries that the lane reads before an answer is bounded, whatever lies between the messages. */
    @Test
    void reactionsBetweenMessagesAreNoTurns() {
        person("go");
        assertThat(agent(ada, "@Bob?")).containsExactly("-own_message", "+mentioned");
        String first = "/messages/"
                + olivia.get(path + "/messages").body().at("/messages/0/id").asString();
        for (int i = 0; i < 10; i++) {
            olivia.put(path + first + "/reactions/x");
            olivia.delete(path + first + "/reactions/x");
        }
        assertThat(agent(bob, "@Ada?")).containsExactly("+mentioned", "-own_message");
        assertThat(agent(ada, "@Bob?")).containsExactly("-own_message", "-hop_limit");
    }

    @Test
    void agentsTalkToEachOtherForThreeHops() {
        person("go");
        assertThat(agent(ada, "thinking")).containsExactly("-own_message", "-agent_not_mentioned");
        assertThat(agent(ada, "@Bob?")).containsExactly("-own_message", "+mentioned");
        assertThat(agent(bob, "@Ada?")).containsExactly("+mentioned", "-own_message");
        // A long turn is still one turn, however far back it began.
        for (int i = 0; i < 25; i++) {
            assertThat(agent(ada, "@Bob " + i)).containsExactly("-own_message", "-hop_limit");
        }
        assertThat(agent(bob, "@Ada?")).containsExactly("-hop_limit", "-own_message");
        person("go on");
        assertThat(agent(ada, "@Bob?")).containsExactly("-own_message", "+mentioned");
    }

    @Test
    void agentsStartTenAnswersInFiveMinutes() {
        for (int i = 0; i < 10; i++) {
            person("go");
            assertThat(agent(ada, "@Bob?")).as("answer " + i).containsExactly("-own_message", "+mentioned");
        }
        assertThat(person("go")).containsExactly("+open", "+open");
        assertThat(agent(ada, "@Bob?")).containsExactly("-own_message", "-agent_budget");
        database.transact(handle -> handle.createUpdate(
                        "update entries set created_at = created_at - interval '5 minutes' where thread_id = :thread")
                .bind("thread", thread)
                .execute());
        assertThat(agent(ada, "@Bob, now?")).containsExactly("-own_message", "+mentioned");
    }
}
