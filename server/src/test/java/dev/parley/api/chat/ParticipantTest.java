package dev.parley.api.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Actor;
import dev.parley.protocol.chat.Participant;
import dev.parley.protocol.chat.ThreadView;
import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The participants of a thread, the rights to change them, and the modes in which agents answer. */
class ParticipantTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private static final ChatCaller olivia = ChatCaller.user(server, "Olivia");
    private static final ChatCaller paul = ChatCaller.user(server, "Paul");

    private ThreadView thread;
    private String path;

    @BeforeEach
    void newThread() {
        thread = olivia.newThread(paul);
        path = "/chat/threads/" + thread.threadId();
    }

    private Participant member(Actor actor) {
        return olivia.get(path).as(ThreadView.class).participants().stream()
                .filter(each -> each.senderId().equals(actor))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void newParticipantHasReadEverythingAndMayPost() {
        olivia.post(path + "/messages", Map.of("content", "before"));
        ChatCaller rita = ChatCaller.user(server, "Rita");
        ThreadView now = olivia.post(
                        path + "/participants",
                        Map.of(
                                "sender_ids",
                                List.of(rita.actor().value(), rita.actor().value())))
                .as(ThreadView.class);
        assertThat(now.participants()).hasSize(3);
        assertThat(member(rita.actor()).lastReadSeq()).isEqualTo(1);
        assertThat(rita.get(path).as(ThreadView.class).unreadCount()).isZero();
        assertThat(rita.post(path + "/messages", Map.of("content", "hi")).status())
                .isEqualTo(201);
        assertThat(olivia.post(
                                path + "/participants",
                                Map.of("sender_ids", List.of(rita.actor().value())))
                        .status())
                .as("again")
                .isEqualTo(200);
    }

    /** All of them pass the first check, since none of them is in yet; the append checks again. */
    @Test
    void concurrentAdditionsDoNotPassTheLimit() throws Exception {
        try (RunningServer small = RunningServer.start("--rate-limits", "off", "--limit-participants", "4");
                Connection locking = DriverManager.getConnection(
                        small.database().jdbcUrl(),
                        small.database().user(),
                        small.database().password());
                ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            ChatCaller rita = ChatCaller.user(small, "Rita");
            String crowded = "/chat/threads/" + rita.newThread().threadId();
            locking.setAutoCommit(false);
            locking.createStatement().execute("select 1 from thread_heads for update");
            List<Future<ChatCaller.Reply>> answers = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                Map<String, Object> newcomer = Map.of("sender_ids", List.of("user:" + UUID.randomUUID()));
                answers.add(pool.submit(() -> rita.post(crowded + "/participants", newcomer)));
            }
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> !small.select("""
                            select 1 from pg_stat_activity
                            where datname = current_database() and wait_event_type = 'Lock'""").isEmpty());
            locking.rollback();
            int refused = 0;
            for (Future<ChatCaller.Reply> answer : answers) {
                refused += answer.get().status() == 400 ? 1 : 0;
            }
            assertThat(rita.get(crowded).as(ThreadView.class).participants()).hasSize(4);
            assertThat(refused).isEqualTo(3);
        }
    }

    @Test
    void onlyManagersChangeParticipants() {
        String stranger = "user:" + UUID.randomUUID();
        assertThat(paul.post(path + "/participants", Map.of("sender_ids", List.of(stranger)))
                        .status())
                .isEqualTo(403);
        assertThat(paul.delete(path + "/participants/" + olivia.actor()).status())
                .isEqualTo(403);
        assertThat(ChatCaller.user(server, "Stranger")
                        .delete(path + "/participants/" + paul.actor())
                        .status())
                .isEqualTo(404);
        assertThat(olivia.post(path + "/participants", Map.of("sender_ids", List.of()))
                        .status())
                .isEqualTo(400);
        assertThat(olivia.post(path + "/participants", Map.of("sender_ids", List.of("slack:U1")))
                        .status())
                .isEqualTo(400);
        assertThat(olivia.delete(path + "/participants/" + stranger).slug()).isEqualTo("participant-not-found");
        assertThat(olivia.delete(path + "/participants/nonsense").slug()).isEqualTo("participant-not-found");
    }

    @Test
    void formerParticipantCannotReadTheThread() {
        assertThat(olivia.delete(path + "/participants/" + paul.actor()).status())
                .isEqualTo(200);
        assertThat(paul.get(path).status()).isEqualTo(404);
        assertThat(paul.post(path + "/messages", Map.of("content", "hello?")).status())
                .isEqualTo(404);
        assertThat(paul.get("/chat/threads?limit=200").body().toString())
                .doesNotContain(thread.threadId().toString());

        ChatCaller rita = ChatCaller.user(server, "Rita");
        olivia.post(
                path + "/participants",
                Map.of("sender_ids", List.of(rita.actor().value())));
        assertThat(rita.delete(path + "/participants/" + rita.actor()).status()).isEqualTo(200);
        assertThat(rita.get(path).status()).isEqualTo(404);
        assertThat(rita.delete(path + "/participants/" + rita.actor()).status()).isEqualTo(404);
    }

    private static Map<String, Object> capabilities(String... names) {
        return Map.of("capabilities", List.of(names));
    }

    @Test
    void theLastManagerHandsOverBeforeItLeaves() {
        String oliviasPlace = path + "/participants/" + olivia.actor();
        ChatCaller.Reply refused = olivia.delete(oliviasPlace);
        assertThat(refused.slug()).isEqualTo("last-manager");
        assertThat(refused.body().path("detail").asString()).contains("can_manage_participants");
        assertThat(olivia.patch(oliviasPlace, capabilities("can_read", "can_send"))
                        .slug())
                .isEqualTo("last-manager");
        assertThat(olivia.get(path).status()).as("nothing was changed").isEqualTo(200);
        olivia.post(
                path + "/participants",
                Map.of(
                        "sender_ids",
                        List.of(olivia.newAgent("Helper").actor().value()),
                        "capabilities",
                        List.of("can_read", "can_manage_participants")));
        assertThat(olivia.delete(oliviasPlace).slug())
                .as("an agent cannot be the only manager")
                .isEqualTo("last-manager");

        ThreadView handed = olivia.patch(
                        path + "/participants/" + paul.actor(),
                        capabilities("can_read", "can_send", "can_run", "can_manage_participants"))
                .as(ThreadView.class);
        assertThat(handed.participants())
                .filteredOn(each -> each.senderId().equals(paul.actor()))
                .singleElement()
                .satisfies(each -> assertThat(each.capabilities()).contains("can_manage_participants"));
        assertThat(olivia.delete(oliviasPlace).status()).isEqualTo(200);
        assertThat(paul.patch(path, Map.of("title", "mine")).status()).isEqualTo(200);
        assertThat(paul.delete(path + "/participants/" + paul.actor()).status())
                .as("alone")
                .isEqualTo(200);
    }

    @Test
    void ofTwoManagersWhoLeaveAtOnceOneStays() throws Exception {
        for (int i = 0; i < 5; i++) {
            newThread();
            ChatCaller rita = ChatCaller.user(server, "Rita");
            olivia.post(
                    path + "/participants",
                    Map.of("sender_ids", List.of(rita.actor().value())));
            olivia.patch(path + "/participants/" + paul.actor(), capabilities("can_read", "manage_thread"));
            try (ExecutorService both = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<ChatCaller.Reply> one =
                        both.submit(() -> olivia.delete(path + "/participants/" + olivia.actor()));
                Future<ChatCaller.Reply> other = both.submit(() -> paul.delete(path + "/participants/" + paul.actor()));
                assertThat(List.of(one.get().status(), other.get().status())).containsExactlyInAnyOrder(200, 409);
            }
        }
    }

    @Test
    void addedParticipantHasTheGivenCapabilities() {
        ChatCaller rita = ChatCaller.user(server, "Rita");
        List<String> ids = List.of(rita.actor().value());
        assertThat(olivia.post(
                                path + "/participants",
                                Map.of("sender_ids", ids, "capabilities", List.of("can_read", "fly")))
                        .body()
                        .at("/errors/0/field")
                        .asString())
                .isEqualTo("capabilities[1]");
        assertThat(olivia.post(path + "/participants", Map.of("sender_ids", ids, "capabilities", List.of("can_send")))
                        .status())
                .isEqualTo(400);

        olivia.post(path + "/participants", Map.of("sender_ids", ids, "capabilities", List.of("can_read")));

        assertThat(member(rita.actor()).capabilities()).containsExactly("can_read");
        assertThat(rita.get(path).status()).isEqualTo(200);
        assertThat(rita.post(path + "/messages", Map.of("content", "hi")).status())
                .isEqualTo(403);
        String place = path + "/participants/" + rita.actor();
        assertThat(rita.patch(place, capabilities("can_read", "can_send")).status())
                .as("a participant cannot widen its own capabilities")
                .isEqualTo(403);
        assertThat(olivia.patch(place, capabilities("observe", "speak")).status())
                .isEqualTo(200);
        assertThat(rita.post(path + "/messages", Map.of("content", "hi")).status())
                .isEqualTo(201);
        assertThat(olivia.patch(place, capabilities()).status()).isEqualTo(400);
        assertThat(olivia.patch(path + "/participants/user:" + UUID.randomUUID(), capabilities("can_read"))
                        .slug())
                .isEqualTo("participant-not-found");
    }

    @Test
    void rightsAreTheMembersAndTheTokensTogether() {
        ChatCaller.Agent observer = olivia.newAgent("Observer", "observe");
        ChatCaller.Agent speaker = olivia.newAgent("Speaker", "observe", "speak");
        ChatCaller.Agent boss = olivia.newAgent("Boss", "observe", "speak", "manage_thread");
        olivia.post(
                path + "/participants",
                Map.of(
                        "sender_ids",
                        List.of(
                                observer.actor().value(),
                                speaker.actor().value(),
                                boss.actor().value())));
        assertThat(observer.api().get(path + "/messages").status()).isEqualTo(200);
        assertThat(observer.api()
                        .post(path + "/agent-messages", Map.of("content", "x"))
                        .status())
                .isEqualTo(403);
        assertThat(speaker.api()
                        .post(path + "/agent-messages", Map.of("content", "x"))
                        .status())
                .isEqualTo(201);
        assertThat(speaker.api()
                        .post(path + "/messages", Map.of("content", "x"))
                        .status())
                .as("people's route")
                .isEqualTo(403);
        assertThat(boss.api().patch(path, Map.of("title", "x")).status())
                .as("the token would allow it, the thread does not")
                .isEqualTo(403);
        ThreadView own =
                boss.api().post("/chat/threads", Map.of("title", "own")).as(ThreadView.class);
        assertThat(boss.api()
                        .patch("/chat/threads/" + own.threadId(), Map.of("title", "x"))
                        .status())
                .isEqualTo(200);
        assertThat(speaker.api().post("/chat/threads", Map.of("title", "own")).status())
                .isEqualTo(403);
        assertThat(olivia.newAgent("Outsider").api().get(path).status()).isEqualTo(404);
    }

    @Test
    void modesAreSetForTheThreadAndForOneAgent() {
        ChatCaller.Agent agent = olivia.newAgent("Agent");
        olivia.post(
                path + "/participants",
                Map.of("sender_ids", List.of(agent.actor().value())));
        assertThat(paul.post(path + "/mode", Map.of("participation_mode", "invocation_only"))
                        .status())
                .isEqualTo(403);
        assertThat(olivia.post(path + "/mode", Map.of("participation_mode", "invocation_only"))
                        .status())
                .isEqualTo(200);
        assertThat(olivia.get(path).as(ThreadView.class).participationMode()).isEqualTo("invocation_only");
        assertThat(olivia.post(
                                path + "/mode",
                                Map.of(
                                        "participation_mode",
                                        "open",
                                        "agent_id",
                                        agent.view().agentId()))
                        .status())
                .isEqualTo(200);
        assertThat(member(agent.actor()).participationMode()).isEqualTo("open");
        Map<String, Object> back = new HashMap<>();
        back.put("participation_mode", null);
        back.put("agent_id", agent.actor().value());
        assertThat(olivia.post(path + "/mode", back).status()).isEqualTo(200);
        assertThat(member(agent.actor()).participationMode()).isNull();
        for (Map<String, Object> wrong : List.<Map<String, Object>>of(
                Map.of(),
                Map.of("participation_mode", "sometimes"),
                Map.of(
                        "participation_mode",
                        "open",
                        "agent_id",
                        UUID.randomUUID().toString()),
                Map.of("participation_mode", "open", "agent_id", "x"))) {
            assertThat(olivia.post(path + "/mode", wrong).status())
                    .as(wrong.toString())
                    .isEqualTo(400);
        }
    }
}
