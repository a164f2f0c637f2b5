package dev.parley.api.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.Message;
import dev.parley.protocol.chat.MessagePage;
import dev.parley.protocol.chat.ThreadView;
import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Making a thread that exists already: by reuse for the same participants, or by repeating a request. */
class RepeatedCreationTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private static final ChatCaller olivia = ChatCaller.user(server, "Olivia");
    private static final ChatCaller paul = ChatCaller.user(server, "Paul");

    private static String path(ThreadId thread) {
        return "/chat/threads/" + thread;
    }

    @Test
    void reuseGivesTheThreadOfTheSamePeopleUntilTheyChange() throws Exception {
        ChatCaller rita = ChatCaller.user(server, "Rita");
        Map<String, Object> wanted = Map.of("participants", List.of(rita.actor().value()), "reuse", true);
        Set<ThreadId> made = new HashSet<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<ThreadView>> all = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                all.add(threads.submit(
                        () -> olivia.post("/chat/threads", wanted).as(ThreadView.class)));
            }
            for (Future<ThreadView> one : all) {
                made.add(one.get().threadId());
            }
        }
        assertThat(made).hasSize(1);
        ThreadId thread = made.iterator().next();
        Map<String, Object> theirs =
                Map.of("participants", List.of(olivia.actor().value()), "reuse", true);
        assertThat(rita.post("/chat/threads", theirs).as(ThreadView.class).threadId())
                .as("for every caller")
                .isEqualTo(thread);
        assertThat(olivia.post(
                                "/chat/threads",
                                Map.of("participants", List.of(rita.actor().value())))
                        .as(ThreadView.class)
                        .threadId())
                .as("without reuse")
                .isNotEqualTo(thread);
        Map<String, Object> more = Map.of(
                "participants", List.of(rita.actor().value(), paul.actor().value()), "reuse", true);
        assertThat(olivia.post("/chat/threads", more).as(ThreadView.class).threadId())
                .as("another set of participants")
                .isNotEqualTo(thread);

        olivia.post(
                path(thread) + "/participants",
                Map.of("sender_ids", List.of(paul.actor().value())));
        assertThat(olivia.post("/chat/threads", wanted).as(ThreadView.class).threadId())
                .as("after its people changed")
                .isNotEqualTo(thread);
    }

    @Test
    void statusTellsReusedThreadsApart() {
        ChatCaller rita = ChatCaller.user(server, "Rita");
        Map<String, Object> wanted = Map.of("participants", List.of(rita.actor().value()), "reuse", true);

        ChatCaller.Reply first = olivia.post("/chat/threads", wanted);
        ChatCaller.Reply again = olivia.post("/chat/threads", wanted);

        assertThat(first.status()).isEqualTo(201);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.as(ThreadView.class).threadId())
                .isEqualTo(first.as(ThreadView.class).threadId());
        assertThat(olivia.post("/chat/threads", wanted, "Idempotency-Key", "told-by-status")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aReusedThreadTakesEveryInitialMessage() {
        ChatCaller rita = ChatCaller.user(server, "Rita");
        List<ThreadId> made = new ArrayList<>();
        for (String text : List.of("Hello", "Hello", "Another topic")) {
            made.add(olivia.post(
                            "/chat/threads",
                            Map.of(
                                    "participants",
                                    List.of(rita.actor().value()),
                                    "reuse",
                                    true,
                                    "initial_message",
                                    text))
                    .as(ThreadView.class)
                    .threadId());
        }
        assertThat(Set.copyOf(made)).hasSize(1);
        assertThat(olivia.get(path(made.getFirst()) + "/messages")
                        .as(MessagePage.class)
                        .messages())
                .extracting(Message::content)
                .containsExactly("Hello", "Hello", "Another topic");
    }

    @Test
    void aRepeatedCreationGivesTheFirstThread() {
        Map<String, Object> wanted = Map.of("title", "once", "initial_message", "hello");
        ThreadView first = olivia.post("/chat/threads", wanted, "Idempotency-Key", "make-1")
                .as(ThreadView.class);
        ThreadView again = olivia.post("/chat/threads", wanted, "Idempotency-Key", "make-1")
                .as(ThreadView.class);
        assertThat(again.threadId()).isEqualTo(first.threadId());
        assertThat(again.lastSeq()).isEqualTo(1);
        ChatCaller.Reply other = olivia.post("/chat/threads", Map.of("title", "twice"), "Idempotency-Key", "make-1");
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.slug()).isEqualTo("key-reused");
        assertThat(paul.post("/chat/threads", wanted, "Idempotency-Key", "make-1")
                        .as(ThreadView.class)
                        .threadId())
                .as("keys are each caller's own")
                .isNotEqualTo(first.threadId());
    }

    /** The key comes before everything that may have changed since. */
    @Test
    void repeatedCreationGivesTheFirstThreadWithChangedParticipants() {
        ChatCaller.Agent agent = olivia.newAgent("Gone soon");
        Map<String, Object> wanted =
                Map.of("participants", List.of(agent.actor().value()), "initial_message", "hello");
        ThreadView first = olivia.post("/chat/threads", wanted, "Idempotency-Key", "make-2")
                .as(ThreadView.class);
        assertThat(olivia.delete("/owner/agents/" + agent.view().agentId()).status())
                .isEqualTo(200);
        ChatCaller.Reply again = olivia.post("/chat/threads", wanted, "Idempotency-Key", "make-2");
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.as(ThreadView.class).threadId()).isEqualTo(first.threadId());
        assertThat(again.as(ThreadView.class).lastSeq()).isEqualTo(1);
        assertThat(olivia.post("/chat/threads", wanted, "Idempotency-Key", "make-3")
                        .slug())
                .isEqualTo("agent-not-found");
    }

    @Test
    void aRepeatedCreationOfAReusedThreadGivesThatThread() {
        ChatCaller rita = ChatCaller.user(server, "Rita");
        Map<String, Object> wanted =
                Map.of("participants", List.of(rita.actor().value()), "reuse", true, "initial_message", "hi");
        ThreadId first =
                olivia.post("/chat/threads", wanted).as(ThreadView.class).threadId();
        for (int i = 0; i < 2; i++) {
            ThreadView keyed = olivia.post("/chat/threads", wanted, "Idempotency-Key", "reuse-1")
                    .as(ThreadView.class);
            assertThat(keyed.threadId()).isEqualTo(first);
            assertThat(keyed.lastSeq()).isEqualTo(2);
        }
    }

    @Test
    void aReusedThreadIsMadeAsWantedAndStaysAsItIs() {
        ChatCaller rita = ChatCaller.user(server, "Rita");
        List<String> people = List.of(rita.actor().value());
        ThreadView made = olivia.post(
                        "/chat/threads",
                        Map.of(
                                "participants",
                                people,
                                "reuse",
                                true,
                                "title",
                                "Ours",
                                "thread_type",
                                "workspace",
                                "participation_mode",
                                "invocation_only"))
                .as(ThreadView.class);
        assertThat(made.title()).isEqualTo("Ours");
        assertThat(made.threadType()).isEqualTo("workspace");
        assertThat(made.participationMode()).isEqualTo("invocation_only");
        ThreadView again = olivia.post(
                        "/chat/threads",
                        Map.of("participants", people, "reuse", true, "title", "Mine", "participation_mode", "open"))
                .as(ThreadView.class);
        assertThat(again).isEqualTo(made);
    }

    /** Requests are compared by their meaning, not by their spelling. */
    @Test
    void aRepeatedCreationMayBeSpelledAnotherWay() {
        ChatCaller rita = ChatCaller.user(server, "Rita");
        String paulId = paul.actor().value().substring("user:".length());
        Map<String, Object> first = Map.of(
                "title",
                "once",
                "participants",
                List.of(paul.actor().value(), rita.actor().value()));
        ThreadId made = olivia.post("/chat/threads", first, "Idempotency-Key", "spelled")
                .as(ThreadView.class)
                .threadId();
        List<String> otherOrder = List.of(rita.actor().value(), paul.actor().value());
        for (Map<String, Object> same : List.<Map<String, Object>>of(
                Map.of("title", "once", "participants", otherOrder),
                Map.of("title", "once", "participants", otherOrder, "thread_type", "private"),
                Map.of("title", "once", "participants", otherOrder, "participation_mode", "open", "reuse", false),
                Map.of("title", "once", "participants", otherOrder, "on_stale", "reject"),
                Map.of(
                        "title",
                        "once",
                        "participants",
                        List.of(
                                rita.actor().value(),
                                olivia.actor().value(),
                                rita.actor().value()),
                        "target_user_ids",
                        List.of(paulId.toUpperCase(Locale.ROOT))))) {
            ChatCaller.Reply again = olivia.post("/chat/threads", same, "Idempotency-Key", "spelled");
            assertThat(again.status()).as(same.toString()).isEqualTo(201);
            assertThat(again.as(ThreadView.class).threadId()).isEqualTo(made);
        }
        for (Map<String, Object> other : List.<Map<String, Object>>of(
                Map.of("participants", otherOrder),
                Map.of("title", "once", "participants", otherOrder, "reuse", true),
                Map.of("title", "once", "participants", otherOrder, "initial_message", "hi"),
                Map.of("title", "once", "participants", otherOrder, "participation_mode", "invocation_only"),
                Map.of("title", "once", "participants", List.of(paul.actor().value())))) {
            assertThat(olivia.post("/chat/threads", other, "Idempotency-Key", "spelled")
                            .slug())
                    .as(other.toString())
                    .isEqualTo("key-reused");
        }
    }
}
