package dev.parley.api.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.Message;
import dev.parley.protocol.chat.MessagePage;
import dev.parley.protocol.chat.Participant;
import dev.parley.protocol.chat.PostedMessage;
import dev.parley.protocol.chat.ThreadPage;
import dev.parley.protocol.chat.ThreadView;
import dev.parley.storage.Database;
import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import dev.parley.testing.StreamTap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Making, naming, archiving and deleting threads. */
class ThreadTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static RunningServer server;
    private static ChatCaller olivia;
    private static ChatCaller paul;

    @BeforeAll
    static void start() {
        server = RunningServer.start("--rate-limits", "off");
        olivia = ChatCaller.user(server, "Olivia");
        paul = ChatCaller.user(server, "Paul");
        // Calls teach the server display names.
        paul.get("/chat/threads");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String path(ThreadView thread) {
        return path(thread.threadId());
    }

    private static String path(ThreadId thread) {
        return "/chat/threads/" + thread;
    }

    private static ThreadView view(ChatCaller caller, ThreadView thread) {
        return caller.get(path(thread)).as(ThreadView.class);
    }

    @Test
    void newThreadHasAllRequestedMembers() {
        ChatCaller.Agent agent = olivia.newAgent("Helper");
        ChatCaller.Reply made = olivia.post(
                "/chat/threads",
                Map.of(
                        "thread_type",
                        "workspace",
                        "title",
                        "Plans",
                        "target_user_ids",
                        List.of(paul.actor().value().substring("user:".length())),
                        "participants",
                        List.of(agent.actor().value(), paul.actor().value()),
                        "participation_mode",
                        "invocation_only",
                        "initial_message",
                        "Hello both",
                        "on_stale",
                        "reject"));
        assertThat(made.status()).isEqualTo(201);
        ThreadView thread = made.as(ThreadView.class);
        assertThat(thread.threadType()).isEqualTo("workspace");
        assertThat(thread.title()).isEqualTo("Plans");
        assertThat(thread.participationMode()).isEqualTo("invocation_only");
        assertThat(thread.isArchived()).isFalse();
        assertThat(thread.lastSeq()).isEqualTo(1);
        assertThat(thread.participants().stream().map(Participant::senderId))
                .containsExactlyInAnyOrder(olivia.actor(), paul.actor(), agent.actor());
        assertThat(capabilities(thread, olivia))
                .containsExactly("can_read", "can_send", "can_run", "can_manage_participants");
        assertThat(capabilities(thread, paul)).containsExactly("can_read", "can_send", "can_run");
        assertThat(capabilities(thread, agent.api())).containsExactly("can_read", "can_send", "can_run");
        assertThat(olivia.get(path(thread) + "/messages").as(MessagePage.class).messages())
                .extracting(Message::content)
                .containsExactly("Hello both");
        assertThat(view(paul, thread).unreadCount()).isEqualTo(1);
        assertThat(view(olivia, thread).unreadCount()).isZero();
    }

    private static List<String> capabilities(ThreadView thread, ChatCaller who) {
        return thread.participants().stream()
                .filter(member -> member.senderId().equals(who.actor()))
                .findFirst()
                .orElseThrow()
                .capabilities();
    }

    @Test
    void invalidThreadIsRefusedAndNotMade() {
        int before =
                olivia.get("/chat/threads?limit=200").body().path("threads").size();
        for (Map<String, Object> wrong : List.<Map<String, Object>>of(
                Map.of("thread_type", "secret"),
                Map.of("participation_mode", "sometimes"),
                Map.of("participants", List.of("nobody")),
                Map.of("participants", List.of("slack:U1")),
                Map.of("target_user_ids", List.of("1-2-3")),
                Map.of("on_stale", "perhaps"),
                Map.of("initial_message", ""),
                Map.of("initial_message", "x".repeat(5_001)),
                Map.of("title", "x".repeat(201)))) {
            ChatCaller.Reply refused = olivia.post("/chat/threads", wrong);
            assertThat(refused.status()).as(wrong.toString()).isEqualTo(400);
        }
        ChatCaller.Reply foreign = olivia.post(
                "/chat/threads",
                Map.of("participants", List.of(paul.newAgent("private").actor().value())));
        assertThat(foreign.status()).isEqualTo(404);
        assertThat(foreign.slug()).isEqualTo("agent-not-found");
        assertThat(olivia.get("/chat/threads?limit=200").body().path("threads").size())
                .isEqualTo(before);
    }

    @Test
    void limitsHoldOnBothSides() {
        String longest = "👋".repeat(200);
        assertThat(olivia.post("/chat/threads", Map.of("title", longest))
                        .as(ThreadView.class)
                        .title())
                .isEqualTo(longest);
        List<String> others = new ArrayList<>();
        for (int i = 0; i < 99; i++) {
            others.add("user:" + UUID.randomUUID());
        }
        ThreadView full =
                olivia.post("/chat/threads", Map.of("participants", others)).as(ThreadView.class);
        assertThat(full.participants()).hasSize(100);
        List<String> one = List.of("user:" + UUID.randomUUID());
        assertThat(olivia.post(path(full) + "/participants", Map.of("sender_ids", one))
                        .status())
                .isEqualTo(400);
        others.addAll(one);
        assertThat(olivia.post("/chat/threads", Map.of("participants", others)).status())
                .isEqualTo(400);
    }

    @Test
    void theFirstMessageNamesAThreadThatHasNoName() {
        ThreadView thread = olivia.post("/chat/threads", null).as(ThreadView.class);
        assertThat(thread.title()).isNull();
        olivia.post(path(thread) + "/messages", Map.of("content", "  The first line\nand more"));
        olivia.post(path(thread) + "/messages", Map.of("content", "the second"));
        ThreadView now = view(olivia, thread);
        assertThat(now.title()).isEqualTo("The first line");
        assertThat(now.lastMessagePreview()).isEqualTo("the second");
        assertThat(now.lastMessageAt()).isNotNull();
        assertThat(olivia.patch(path(thread), Map.of("title", "Chosen"))
                        .as(ThreadView.class)
                        .title())
                .isEqualTo("Chosen");
        assertThat(olivia.patch(path(thread), Map.of("title", "x".repeat(201))).status())
                .isEqualTo(400);
        ThreadView shared = olivia.newThread(paul);
        assertThat(paul.patch(path(shared), Map.of("title", "Mine")).status()).isEqualTo(403);
        assertThat(ChatCaller.user(server, "Stranger")
                        .patch(path(shared), Map.of("title", "Mine"))
                        .status())
                .isEqualTo(404);
    }

    /** In requests, null means absent. */
    @Test
    void renameWithoutATitleChangesNothing() {
        ThreadView thread = olivia.newThread(paul);
        String events = olivia.get(path(thread) + "/events").body().toString();
        for (Map<String, Object> nothing :
                List.<Map<String, Object>>of(Map.of(), Collections.singletonMap("title", null))) {
            ChatCaller.Reply answer = olivia.patch(path(thread), nothing);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.as(ThreadView.class)).isEqualTo(thread);
            assertThat(paul.patch(path(thread), nothing).status()).isEqualTo(403);
            assertThat(ChatCaller.user(server, "Stranger")
                            .patch(path(thread), nothing)
                            .status())
                    .isEqualTo(404);
        }
        assertThat(view(olivia, thread).title()).isEqualTo("test");
        assertThat(olivia.get(path(thread) + "/events").body().toString()).isEqualTo(events);
    }

    @Test
    void derivedTitleStaysWhenItsMessageIsDeleted() {
        ThreadView thread = olivia.post("/chat/threads", Map.of("initial_message", "计划 🍰 الخطة"))
                .as(ThreadView.class);
        assertThat(thread.title()).isEqualTo("计划 🍰 الخطة");
        Message first = olivia.get(path(thread) + "/messages")
                .as(MessagePage.class)
                .messages()
                .getFirst();

        assertThat(olivia.delete(path(thread) + "/messages/" + first.id()).status())
                .isEqualTo(200);
        assertThat(olivia.post(path(thread) + "/messages", Map.of("content", "@Demo hi"))
                        .status())
                .isEqualTo(201);

        assertThat(view(olivia, thread).title()).isEqualTo("计划 🍰 الخطة");
    }

    @Test
    void aSearchLeadsOnPastTheThreadsItLookedThrough() {
        ChatCaller nora = ChatCaller.user(server, "Nora");
        ThreadView needle =
                nora.post("/chat/threads", Map.of("title", "The 100% needle")).as(ThreadView.class);
        server.execute("""
                with made as (
                    insert into threads (thread_id, thread_type, title, participation_mode, created_by, created_at)
                    select gen_random_uuid(), 'private', 'Hay', 'open', '%1$s', now() from generate_series(1, 1000)
                    returning thread_id)
                insert into listings (thread_id, actor, active_at)
                select thread_id, '%1$s', now() + interval '1 hour' from made""".formatted(nora.actor().value()));
        ThreadPage first = nora.get("/chat/threads?q=100%25%20n").as(ThreadPage.class);
        assertThat(first.threads()).isEmpty();
        assertThat(first.nextCursor()).isNotNull();
        ThreadPage second = nora.get("/chat/threads?q=100%25%20n&cursor=" + first.nextCursor())
                .as(ThreadPage.class);
        assertThat(second.threads()).extracting(ThreadView::threadId).containsExactly(needle.threadId());
        assertThat(second.nextCursor()).isNull();
    }

    @Test
    void anArchivedThreadRefusesPostsButRemembersOldOnes() {
        ThreadView thread = olivia.newThread(paul);
        Map<String, Object> old = Map.of("content", "before", "client_message_id", "k");
        PostedMessage first = olivia.post(path(thread) + "/messages", old).as(PostedMessage.class);
        assertThat(paul.patch(path(thread) + "/archive", null).status()).isEqualTo(403);
        assertThat(olivia.patch(path(thread) + "/archive", null).status()).isEqualTo(200);
        assertThat(view(paul, thread).isArchived()).isTrue();

        ChatCaller.Reply refused = olivia.post(path(thread) + "/messages", Map.of("content", "after"));
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.slug()).isEqualTo("thread-archived");
        assertThat(olivia.put(path(thread) + "/messages/" + first.messageId() + "/reactions/x")
                        .status())
                .isEqualTo(409);
        ChatCaller.Reply again = olivia.post(path(thread) + "/messages", old);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.as(PostedMessage.class).message()).isEqualTo(first.message());

        assertThat(listed(olivia, "")).doesNotContain(thread.threadId());
        assertThat(listed(olivia, "&archived=true")).contains(thread.threadId());
        assertThat(olivia.patch(path(thread) + "/archive", Map.of("archived", false))
                        .status())
                .isEqualTo(200);
        assertThat(olivia.post(path(thread) + "/messages", Map.of("content", "after"))
                        .status())
                .isEqualTo(201);
        assertThat(listed(olivia, "")).contains(thread.threadId());
    }

    private static List<ThreadId> listed(ChatCaller caller, String query) {
        List<ThreadId> ids = new ArrayList<>();
        caller.get("/chat/threads?limit=200" + query)
                .body()
                .path("threads")
                .forEach(thread -> ids.add(
                        ThreadId.parse(thread.path("thread_id").asString()).orElseThrow()));
        return ids;
    }

    @Test
    void aDeletedThreadIsGoneForAllAndItsContentIsPurged() {
        ChatCaller.Agent agent = olivia.newAgent("Helper");
        ThreadView thread = olivia.newThread(paul, agent.api());
        Map<String, Object> old = Map.of("content", "a secret", "client_message_id", "k");
        PostedMessage posted = olivia.post(path(thread) + "/messages", old).as(PostedMessage.class);
        assertThat(paul.delete(path(thread)).status()).isEqualTo(403);
        try (StreamTap stream = paul.stream(path(thread) + "/events/stream?after_seq=0")) {
            stream.awaitEvents(1);
            assertThat(olivia.delete(path(thread)).status()).isEqualTo(200);
            for (ChatCaller caller : List.of(olivia, paul, agent.api())) {
                for (String route : List.of("", "/messages", "/events", "/events/stream")) {
                    assertThat(caller.get(path(thread) + route).status())
                            .as(route)
                            .isEqualTo(404);
                }
            }
            assertThat(olivia.post(path(thread) + "/messages", old).status())
                    .as("not even a retry")
                    .isEqualTo(404);
            assertThat(olivia.patch(path(thread) + "/messages/" + posted.messageId(), Map.of("content", "still there?"))
                            .status())
                    .isEqualTo(404);
            assertThat(olivia.patch(path(thread), Map.of("title", "back")).status())
                    .isEqualTo(404);
            assertThat(olivia.delete(path(thread)).status()).isEqualTo(404);
            assertThat(listed(olivia, "")).doesNotContain(thread.threadId());
            await().atMost(LIMIT).until(stream::ended);
        }
        try (Database database = Database.open(server.database(), 1)) {
            await().atMost(LIMIT).untilAsserted(() -> {
                for (String table : List.of("entries", "events", "entry_keys", "participants", "thread_activity")) {
                    assertThat(count(database, table, thread)).as(table).isZero();
                }
            });
            assertThat(count(database, "threads", thread))
                    .as("the id stays taken")
                    .isEqualTo(1);
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(count(database, "threads where purged_at is not null and", thread))
                            .as("and its content is not purged again")
                            .isEqualTo(1));
        }
    }

    private static int count(Database database, String table, ThreadView thread) {
        return database.read(handle -> handle.createQuery("select count(*) from " + table
                        + (table.endsWith(" and") ? "" : " where") + " thread_id = :thread")
                .bind("thread", thread.threadId().value())
                .mapTo(Integer.class)
                .one());
    }
}
