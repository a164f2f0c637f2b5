package dev.parley.api.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.chat.Message;
import dev.parley.protocol.chat.MessagePage;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.sdk.MessageFilter;
import dev.parley.sdk.ThreadClient;
import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages are found by the run and the stage in their metadata. */
class MessageFilterTest {
    private static final int SCAN = 10;
    private static final long END = 1_000_000;
    private static final UUID OLIVIA = UUID.randomUUID();

    @AutoClose
    private static final RunningServer server =
            RunningServer.start("--rate-limits", "off", "--limit-filter-scan", String.valueOf(SCAN));

    private static final ChatCaller olivia = ChatCaller.user(server, OLIVIA, "Olivia");
    private static final ChatCaller.Agent agent = olivia.newAgent("Agent", "observe", "speak", "run");

    private ThreadClient thread;
    private String path;

    @BeforeEach
    void newThread() {
        thread = server.as(OLIVIA).thread(olivia.newThread(agent.api()).threadId());
        path = "/chat/threads/" + thread.id();
        open("run-一");
        open("second");
    }

    private String open(String run) {
        String encoded = run.replace("一", "%E4%B8%80");
        String events = "/agent/threads/" + thread.id() + "/runs/" + encoded + "/events";
        assertThat(agent.api()
                        .post(events, Map.of("first", 0, "events", List.of()))
                        .status())
                .isEqualTo(200);
        return olivia.get("/agent/threads/" + thread.id() + "/runs/" + encoded)
                .body()
                .get("taskId")
                .asString();
    }

    private long say(@Nullable String run, @Nullable String stage) {
        if (run == null) {
            return thread.post(NewMessage.text("said")).message().threadSeq();
        }
        Map<String, Object> body = new LinkedHashMap<>(Map.of("content", "said", "run_id", run));
        if (stage != null) {
            body.put("metadata", Map.of("stage", stage));
        }
        ChatCaller.Reply posted = agent.api().post(path + "/agent-messages", body);
        assertThat(posted.status()).as(posted.body().toString()).isEqualTo(201);
        return posted.body().get("thread_seq").asLong();
    }

    private static List<Long> seqs(MessagePage page) {
        return page.messages().stream().map(Message::threadSeq).toList();
    }

    @Test
    void runAndStageLimitTheListAloneAndTogether() {
        say(null, null);
        say("run-一", "intent");
        say("run-一", "执行 🚀");
        say("second", "intent");
        say("second", null);
        say("run-一", "intent");
        assertThat(seqs(thread.messagesAfter(0, 50, MessageFilter.run("run-一"))))
                .containsExactly(2L, 3L, 6L);
        assertThat(seqs(thread.messagesBefore(6, 50, MessageFilter.run("run-一"))))
                .containsExactly(2L, 3L);
        assertThat(seqs(thread.messagesAfter(2, 50, MessageFilter.stage("intent"))))
                .containsExactly(4L, 6L);
        assertThat(seqs(thread.messagesAfter(0, 50, MessageFilter.stage("执行 🚀"))))
                .containsExactly(3L);
        assertThat(seqs(thread.messagesAfter(0, 50, new MessageFilter("run-一", "intent"))))
                .containsExactly(2L, 6L);
        MessagePage latest = olivia.get(path + "/messages?run_id=second").as(MessagePage.class);
        assertThat(seqs(latest)).containsExactly(4L, 5L);
        assertThat(latest.hasMore()).isFalse();
        assertThat(latest.messages()).allMatch(each -> each.senderId().equals(agent.actor()));
    }

    @Test
    void aRunIsNamedByEitherId() {
        String task = open("third");
        say("third", null);
        say(task, null);
        say(task, "intent");
        for (String id : List.of("third", task)) {
            assertThat(seqs(thread.messagesAfter(0, 50, MessageFilter.run(id)))).containsExactly(1L, 2L, 3L);
        }
        assertThat(thread.latestMessages(50).messages())
                .extracting(each ->
                        Json.MAPPER.valueToTree(each).at("/metadata/run_id").asString())
                .containsOnly("third");
    }

    @Test
    void theQuestionOfARunIsAmongItsMessages() {
        Map<String, Object> question = Map.of("id", "q", "role", "user", "content", "你好");
        Map<String, Object> input =
                Map.of("threadId", thread.id().toString(), "runId", "asked", "messages", List.of(question));
        assertThat(olivia.post("/agent/runs", input).status()).isEqualTo(202);
        assertThat(thread.messagesAfter(0, 50, MessageFilter.run("asked")).messages())
                .first()
                .extracting(Message::content)
                .isEqualTo("你好");
    }

    @Test
    void anUnknownRunOrStageGivesAnEmptyPage() {
        say("second", "intent");
        for (MessageFilter unknown : List.of(
                MessageFilter.run("unknown"),
                MessageFilter.run(UUID.randomUUID().toString()),
                MessageFilter.stage("unknown"),
                new MessageFilter("second", "unknown"))) {
            MessagePage page = thread.messagesAfter(0, 50, unknown);
            assertThat(page.messages()).isEmpty();
            assertThat(page.hasMore()).isFalse();
            assertThat(page.nextAfterSeq()).isZero();
        }
    }

    @Test
    void theLimitCountsMessagesReturned() {
        for (int i = 0; i < 4; i++) {
            say("second", "intent");
            say(null, null);
        }
        MessagePage first = thread.messagesAfter(0, 3, MessageFilter.run("second"));
        assertThat(seqs(first)).containsExactly(1L, 3L, 5L);
        assertThat(first.hasMore()).isTrue();
        assertThat(first.nextAfterSeq()).isEqualTo(5);
        MessagePage exact = thread.messagesAfter(0, 4, MessageFilter.run("second"));
        assertThat(exact.messages()).hasSize(4);
        assertThat(exact.hasMore()).isFalse();
        MessagePage back = thread.messagesBefore(END, 3, MessageFilter.run("second"));
        assertThat(seqs(back)).containsExactly(3L, 5L, 7L);
        assertThat(back.hasMore()).isTrue();
        assertThat(back.nextBeforeSeq()).isEqualTo(3);
        assertThat(seqs(thread.messagesBefore(back.nextBeforeSeq(), 3, MessageFilter.run("second"))))
                .containsExactly(1L);
    }

    /** One call scans 10 messages here; the cursor of its answer leads on, also from an empty page. */
    @Test
    void readStopsAtTheScanLimitWithACursor() {
        say("second", "intent");
        for (int i = 0; i < 2 * SCAN; i++) {
            say(null, null);
        }
        say("second", "intent");
        List<Long> forwards = new ArrayList<>();
        List<Integer> sizes = new ArrayList<>();
        long after = 0;
        for (boolean more = true; more; ) {
            MessagePage page = thread.messagesAfter(after, 50, MessageFilter.stage("intent"));
            forwards.addAll(seqs(page));
            sizes.add(page.messages().size());
            after = page.nextAfterSeq();
            more = page.hasMore();
        }
        assertThat(forwards).containsExactly(1L, 22L);
        assertThat(sizes).containsExactly(1, 0, 1);
        List<Long> backwards = new ArrayList<>();
        long before = END;
        for (boolean more = true; more; ) {
            MessagePage page = thread.messagesBefore(before, 50, MessageFilter.stage("intent"));
            backwards.addAll(seqs(page));
            before = page.nextBeforeSeq();
            more = page.hasMore();
        }
        assertThat(backwards).containsExactly(22L, 1L);
        assertThat(seqs(thread.messagesAfter(0, 50, MessageFilter.run("second"))))
                .as("a run's messages come from an index")
                .containsExactly(1L, 22L);
    }

    @Test
    void oneMessageFewerThanTheScanEndsTheRead() {
        LongStream.rangeClosed(1, SCAN - 1).forEach(each -> say(null, null));
        assertThat(thread.messagesAfter(0, 50, MessageFilter.stage("intent")).hasMore())
                .isFalse();
        say(null, null);
        MessagePage full = thread.messagesAfter(0, 50, MessageFilter.stage("intent"));
        assertThat(full.hasMore()).isTrue();
        assertThat(full.nextAfterSeq()).isEqualTo(SCAN);
        assertThat(thread.messagesAfter(SCAN, 50, MessageFilter.stage("intent")).hasMore())
                .isFalse();
    }

    @Test
    void revisionsAreAppliedAndCountForNothing() {
        long said = say("second", "intent");
        String id = thread.latestMessages(1).messages().getFirst().id();
        agent.api().patch(path + "/messages/" + id, Map.of("content", "edited"));
        assertThat(thread.messagesAfter(0, 50, MessageFilter.stage("intent")).messages())
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.content()).isEqualTo("edited");
                    assertThat(each.threadSeq()).isEqualTo(said);
                });
        agent.api().delete(path + "/messages/" + id);
        assertThat(thread.messagesAfter(0, 50, MessageFilter.run("second")).messages())
                .singleElement()
                .satisfies(each -> {
                    assertThat(each.deletedAt()).isNotNull();
                    assertThat(each.metadata()).isNull();
                });
    }

    @Test
    void aFilterThatCannotBeReadIsRefused() {
        String longest = "x".repeat(128);
        for (String name : List.of("run_id", "stage")) {
            assertThat(olivia.get(path + "/messages?" + name + "=" + longest).status())
                    .isEqualTo(200);
            for (String wrong : List.of("", longest + "x")) {
                ChatCaller.Reply refused = olivia.get(path + "/messages?" + name + "=" + wrong);
                assertThat(refused.status()).as(name + "=" + wrong).isEqualTo(400);
                assertThat(refused.body().at("/errors/0/field").asString()).isEqualTo(name);
            }
            assertThat(olivia.get(path + "/messages?" + name + "=a%00b").status())
                    .isEqualTo(400);
            ChatCaller.Reply raw = olivia.get(path + "/messages?revisions=raw&" + name + "=x");
            assertThat(raw.status()).isEqualTo(400);
            assertThat(raw.body().get("message").asString()).contains("cannot be combined with run_id or stage");
        }
    }

    @Test
    void emptyPage_hasACursorToContinue() {
        String messages = path + "/messages";
        assertThat(olivia.get(messages).as(MessagePage.class))
                .extracting(MessagePage::nextAfterSeq, MessagePage::nextBeforeSeq)
                .containsExactly(0L, 1L);
        say("second", "intent");
        say(null, null);
        assertThat(olivia.get(messages + "?after_seq=2").as(MessagePage.class))
                .extracting(MessagePage::nextAfterSeq, MessagePage::nextBeforeSeq)
                .containsExactly(2L, 3L);
        for (String cursor : List.of("", "&before_seq=1000")) {
            assertThat(olivia.get(messages + "?stage=none" + cursor).as(MessagePage.class))
                    .as("the head, so that a poll from there misses no message")
                    .extracting(MessagePage::nextAfterSeq, MessagePage::nextBeforeSeq)
                    .containsExactly(2L, 3L);
        }
        assertThat(olivia.get(messages + "?stage=none&before_seq=2").as(MessagePage.class))
                .extracting(MessagePage::nextAfterSeq, MessagePage::nextBeforeSeq)
                .containsExactly(1L, 2L);
    }

    @Test
    void onlyReadersOfTheThreadFindItsMessages() {
        say("second", "intent");
        ChatCaller stranger = ChatCaller.user(server, "Stranger");
        assertThat(stranger.get(path + "/messages?run_id=second").status()).isEqualTo(404);
        ChatCaller.Agent mute = olivia.newAgent("Mute", "speak");
        olivia.post(path + "/participants", Map.of("sender_ids", List.of(actor(mute))));
        assertThat(mute.api().get(path + "/messages?run_id=second").status()).isEqualTo(403);
    }

    private static String actor(ChatCaller.Agent agent) {
        Actor actor = agent.actor();
        return actor.value();
    }
}
