package dev.parley.api.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.ReadState;
import dev.parley.protocol.chat.ThreadPage;
import dev.parley.protocol.chat.ThreadView;
import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import dev.parley.testing.TableBarrier;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of threads, and their unread counts. */
class ThreadListTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private final ChatCaller olivia = ChatCaller.user(server, "Olivia");
    private final ChatCaller paul = ChatCaller.user(server, "Paul");

    private static String path(ThreadId thread) {
        return "/chat/threads/" + thread;
    }

    private static void post(ChatCaller caller, ThreadId thread, String content) {
        assertThat(caller.post(path(thread) + "/messages", Map.of("content", content))
                        .status())
                .isEqualTo(201);
    }

    private static ThreadView view(ChatCaller caller, ThreadId thread) {
        return caller.get(path(thread)).as(ThreadView.class);
    }

    private static List<ThreadId> ids(ThreadPage page) {
        return page.threads().stream().map(ThreadView::threadId).toList();
    }

    private ThreadPage list(String query) {
        return olivia.get("/chat/threads?" + query).as(ThreadPage.class);
    }

    @Test
    void theMostActiveComesFirst() {
        List<ThreadId> made = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            made.add(olivia.newThread().threadId());
        }
        assertThat(ids(list("limit=10"))).containsExactlyElementsOf(made.reversed());
        post(olivia, made.get(1), "news");
        await().atMost(LIMIT)
                .untilAsserted(
                        () -> assertThat(ids(list("limit=10")).getFirst()).isEqualTo(made.get(1)));
        ThreadView first = list("limit=1").threads().getFirst();
        assertThat(first.lastMessagePreview()).isEqualTo("news");
        assertThat(first.lastSeq()).isEqualTo(1);
    }

    /** Activity is written after the log, and later on a busy server. */
    @Test
    void previewIsTheLastMessageWhileActivityIsBehindTheLog() {
        ThreadId thread = olivia.newThread().threadId();
        try (TableBarrier _ = TableBarrier.beforeWrites(server, "thread_activity")) {
            post(olivia, thread, "first");
            post(olivia, thread, "你好 🙂");
            assertThat(list("limit=1").threads().getFirst())
                    .returns(2L, ThreadView::lastSeq)
                    .returns("你好 🙂", ThreadView::lastMessagePreview)
                    .isEqualTo(view(olivia, thread));
        }
    }

    @Test
    void pagingNeitherSkipsNorRepeatsThreadsThatStayQuiet() {
        List<ThreadId> made = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            made.add(olivia.newThread().threadId());
        }
        List<ThreadId> busy = List.of(made.get(0), made.get(7), made.get(13));
        List<ThreadId> seen = new ArrayList<>();
        ThreadPage page = list("limit=4");
        seen.addAll(ids(page));
        for (int round = 0; page.nextCursor() != null; round++) {
            ThreadId active = busy.get(round % busy.size());
            String text = "round " + round;
            post(olivia, active, text);
            await().atMost(LIMIT).until(() -> text.equals(view(olivia, active).lastMessagePreview()));
            page = list("limit=4&cursor=" + page.nextCursor());
            seen.addAll(ids(page));
        }
        assertThat(seen).doesNotHaveDuplicates();
        List<ThreadId> quiet = new ArrayList<>(made.reversed());
        quiet.removeAll(busy);
        seen.removeAll(busy);
        assertThat(seen).containsExactlyElementsOf(quiet);
        assertThat(olivia.get("/chat/threads?cursor=nonsense").slug()).isEqualTo("invalid-cursor");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+999999999-12-31T23:59:59Z",
                "-999999999-01-01T00:00:00Z",
                "+10000-01-01T00:00:00Z",
                "-4713-01-01T00:00:00Z",
                "0000-12-31T23:59:59Z"
            })
    void aCursorOfATimeThatNoListGaveIsRefused(String time) {
        String cursor = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((time + " " + UUID.randomUUID()).getBytes(StandardCharsets.US_ASCII));
        ChatCaller.Reply answer = olivia.get("/chat/threads?cursor=" + cursor);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.slug()).isEqualTo("invalid-cursor");
    }

    @ParameterizedTest
    @ValueSource(strings = {"archived=", "archived=yes", "limit=", "limit=0", "limit=-1"})
    void queriesThatCannotBeReadAreRefused(String query) {
        ChatCaller.Reply answer = olivia.get("/chat/threads?" + query);
        assertThat(answer.slug()).isEqualTo("invalid-fields");
        assertThat(answer.body().at("/errors/0/field").asString()).isEqualTo(query.substring(0, query.indexOf('=')));
    }

    @Test
    void wordsFindTitlesAsTheyAre() {
        for (String title : List.of("Budget 100% plan", "budget 100 plan", "Über uns", "a_b")) {
            olivia.post("/chat/threads", Map.of("title", title));
        }
        assertThat(titles("q=BUDGET")).containsExactlyInAnyOrder("Budget 100% plan", "budget 100 plan");
        assertThat(titles("q=100%25")).containsExactly("Budget 100% plan");
        assertThat(titles("q=a_b")).containsExactly("a_b");
        assertThat(titles("q=%C3%BCber")).containsExactly("Über uns");
        assertThat(titles("q=nothing")).isEmpty();
    }

    private List<String> titles(String query) {
        return list(query).threads().stream()
                .map(thread -> String.valueOf(thread.title()))
                .toList();
    }

    @Test
    void unreadIsExactUpToNinetyNine() {
        ThreadId thread = olivia.newThread(paul).threadId();
        for (int i = 1; i <= 99; i++) {
            post(paul, thread, "message " + i);
        }
        assertThat(view(olivia, thread).unreadCount()).isEqualTo(99);
        assertThat(view(paul, thread).unreadCount())
                .as("own messages do not count")
                .isZero();
        post(paul, thread, "100");
        assertThat(view(olivia, thread).unreadCount()).isEqualTo(100);
        post(paul, thread, "101");
        assertThat(view(olivia, thread).unreadCount()).as("many").isEqualTo(100);
        assertThat(list("limit=1").threads().getFirst().unreadCount()).isEqualTo(100);
    }

    @Test
    void theMarkerMovesForwardOnlyAndNeverBeyondTheEnd() {
        ThreadId thread = olivia.newThread(paul).threadId();
        for (int i = 0; i < 10; i++) {
            post(paul, thread, "message");
        }
        assertThat(mark(thread, Map.of("seq", 4))).isEqualTo(4);
        assertThat(view(olivia, thread).unreadCount()).isEqualTo(6);
        assertThat(mark(thread, Map.of("seq", 2))).isEqualTo(4);
        assertThat(mark(thread, Map.of("seq", 1_000))).isEqualTo(10);
        post(paul, thread, "news");
        assertThat(view(olivia, thread).unreadCount()).isEqualTo(1);
        assertThat(olivia.patch(path(thread) + "/read", null)
                        .as(ReadState.class)
                        .lastReadSeq())
                .isEqualTo(11);
        assertThat(view(olivia, thread).unreadCount()).isZero();
        assertThat(olivia.patch(path(thread) + "/read", Map.of("seq", -1)).status())
                .isEqualTo(400);
        assertThat(ChatCaller.user(server, "Stranger")
                        .patch(path(thread) + "/read", null)
                        .status())
                .isEqualTo(404);
    }

    private long mark(ThreadId thread, Map<String, Object> body) {
        return olivia.patch(path(thread) + "/read", body).as(ReadState.class).lastReadSeq();
    }

    @Test
    void postingMovesTheMarkerToWhatTheAuthorHasSeen() {
        ChatCaller.Agent agent = olivia.newAgent("Agent");
        ThreadId thread = olivia.newThread(agent.api(), paul).threadId();
        for (int i = 0; i < 5; i++) {
            post(paul, thread, "message");
        }
        agent.api().post(path(thread) + "/agent-messages", Map.of("content", "a", "base_seq", 2, "latest_seen_seq", 3));
        assertThat(lastRead(thread, agent.api())).isEqualTo(3);
        assertThat(view(agent.api(), thread).unreadCount()).as("4 and 5").isEqualTo(2);
        agent.api().post(path(thread) + "/agent-messages", Map.of("content", "b"));
        assertThat(lastRead(thread, agent.api())).isEqualTo(7);
        agent.api().post(path(thread) + "/agent-messages", Map.of("content", "c", "base_seq", 1, "latest_seen_seq", 1));
        assertThat(lastRead(thread, agent.api())).as("never back").isEqualTo(7);
        post(olivia, thread, "mine");
        assertThat(view(olivia, thread).unreadCount()).isZero();
    }

    private long lastRead(ThreadId thread, ChatCaller who) {
        return view(olivia, thread).participants().stream()
                .filter(member -> member.senderId().equals(who.actor()))
                .findFirst()
                .orElseThrow()
                .lastReadSeq();
    }

    /** Fifty users post and mark at random seqs; in the end every count equals the log's. */
    @Test
    void unreadIsRightForFiftyPeopleUnderLoad() throws Exception {
        List<ChatCaller> people = new ArrayList<>();
        for (int i = 0; i < 49; i++) {
            people.add(ChatCaller.user(server, "Person " + i));
        }
        List<ThreadId> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            threads.add(olivia.newThread(people.toArray(ChatCaller[]::new)).threadId());
        }
        people.add(olivia);
        try (ExecutorService workers = Executors.newFixedThreadPool(16)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < people.size(); i++) {
                ChatCaller person = people.get(i);
                int number = i;
                all.add(workers.submit(() -> {
                    for (int round = 0; round < 6; round++) {
                        ThreadId thread = threads.get((number + round) % threads.size());
                        if (number % 5 != 0) {
                            post(person, thread, "message " + round);
                        }
                        if (number % 3 == 0) {
                            person.patch(path(thread) + "/read", Map.of("seq", 7 * round));
                        }
                    }
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        for (ThreadId thread : threads) {
            List<String> authors = new ArrayList<>();
            long after = 0;
            for (boolean more = true; more; ) {
                var page = olivia.get(path(thread) + "/messages?limit=200&after_seq=" + after)
                        .body();
                page.path("messages")
                        .forEach(
                                message -> authors.add(message.path("sender_id").asString()));
                after = page.path("next_after_seq").asLong();
                more = page.path("has_more").asBoolean();
            }
            for (ChatCaller person : people) {
                ThreadView seen = view(person, thread);
                long read = lastRead(thread, person);
                long others = authors.stream()
                        .skip(read)
                        .filter(author -> !author.equals(person.actor().value()))
                        .count();
                assertThat(seen.lastSeq()).isEqualTo(authors.size());
                assertThat(seen.unreadCount()).isEqualTo((int) Math.min(100, others));
            }
        }
    }
}
