package dev.parley.api.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.log.Direction;
import dev.parley.log.PageSize;
import dev.parley.log.RevisionReader;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.Entry;
import dev.parley.protocol.chat.EntryPage;
import dev.parley.protocol.chat.EventEnvelope;
import dev.parley.protocol.chat.EventPage;
import dev.parley.protocol.chat.Message;
import dev.parley.protocol.chat.MessagePage;
import dev.parley.protocol.chat.PostedMessage;
import dev.parley.protocol.chat.Reaction;
import dev.parley.protocol.chat.ThreadView;
import dev.parley.storage.Database;
import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Revisions of messages: edits, deletions, reactions. */
class RevisionTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private static final ChatCaller olivia = ChatCaller.user(server, "Olivia");
    private static final ChatCaller paul = ChatCaller.user(server, "Paul");

    private final String path = "/chat/threads/" + olivia.newThread(paul).threadId();

    private String said(String content) {
        return olivia.post(path + "/messages", Map.of("content", content, "metadata", Map.of("mood", content)))
                .as(PostedMessage.class)
                .messageId();
    }

    private String at(String message) {
        return path + "/messages/" + message;
    }

    private MessagePage page(String query) {
        return paul.get(path + "/messages?" + query).as(MessagePage.class);
    }

    @Test
    void anEditIsShownAndTheOriginalStaysInTheLog() {
        String id = said("frist");
        Message edited = olivia.patch(at(id), Map.of("content", "first")).as(Message.class);
        assertThat(edited.content()).isEqualTo("first");
        assertThat(edited.editedAt()).isNotNull();
        assertThat(edited.threadSeq()).isEqualTo(1);
        assertThat(page("limit=10").messages()).containsExactly(edited);
        List<Entry> raw =
                paul.get(path + "/messages?revisions=raw").as(EntryPage.class).entries();
        assertThat(raw).extracting(Entry::kind).containsExactly("message", "edit");
        assertThat(raw).extracting(Entry::content).containsExactly("frist", "first");
        assertThat(raw).extracting(Entry::threadSeq).containsExactly(1L, 2L);
        assertThat(raw.getLast().targetSeq()).isEqualTo(1);
        List<EventEnvelope> events =
                paul.get(path + "/events").as(EventPage.class).events();
        assertThat(events).extracting(EventEnvelope::eventType).containsExactly("message_committed", "message_revised");
        EventEnvelope revised = events.getLast();
        assertThat(revised.eventId()).isEqualTo("2");
        assertThat(revised.content()).isEqualTo("first");
        assertThat(String.valueOf(revised.metadata()))
                .contains("\"revision\":\"edit\"", "\"target_seq\":1", "\"target_id\":\"" + id + "\"");
        olivia.patch(at(id), Map.of("content", "first"));
        assertThat(paul.get(path).as(ThreadView.class).lastSeq())
                .as("the same text again is no edit")
                .isEqualTo(2);
    }

    @Test
    void onlyTheAuthorChangesAMessage() {
        String id = said("mine");
        assertThat(paul.patch(at(id), Map.of("content", "yours")).status()).isEqualTo(403);
        assertThat(paul.delete(at(id)).status()).isEqualTo(403);
        ChatCaller stranger = ChatCaller.user(server, "Stranger");
        assertThat(stranger.patch(at(id), Map.of("content", "yours")).slug()).isEqualTo("thread-not-found");
        assertThat(stranger.put(at(id) + "/reactions/x").slug()).isEqualTo("thread-not-found");
        assertThat(olivia.patch(at("no-such-message"), Map.of("content", "x")).slug())
                .isEqualTo("message-not-found");
        assertThat(olivia.patch(at(id), Map.of()).status()).isEqualTo(400);
        assertThat(olivia.patch(at(id), Map.of("content", "")).status()).isEqualTo(400);
        assertThat(olivia.patch(at(id), Map.of("content", "x".repeat(5_001))).status())
                .isEqualTo(400);
        assertThat(page("limit=10").messages()).extracting(Message::content).containsExactly("mine");
    }

    @Test
    void deletedMessageIsShownNowhere() {
        String id = said("a secret");
        await().atMost(LIMIT)
                .until(() ->
                        "a secret".equals(olivia.get(path).as(ThreadView.class).lastMessagePreview()));
        Message deleted = olivia.delete(at(id)).as(Message.class);
        assertThat(deleted.deletedAt()).isNotNull();
        assertThat(deleted.content()).isEmpty();
        assertThat(deleted.metadata()).isNull();
        String listed = paul.get(path + "/messages").body().toString();
        assertThat(listed).doesNotContain("a secret").contains(id);
        await().atMost(LIMIT).untilAsserted(() -> {
            assertThat(paul.get("/chat/threads?limit=200").body().toString()).doesNotContain("a secret");
            assertThat(paul.get(path).body().toString()).doesNotContain("a secret");
        });
        assertThat(olivia.patch(at(id), Map.of("content", "back")).slug()).isEqualTo("message-not-found");
        assertThat(olivia.delete(at(id)).slug()).isEqualTo("message-not-found");
        assertThat(paul.put(at(id) + "/reactions/x").slug()).isEqualTo("message-not-found");
        assertThat(paul.get(path + "/messages?revisions=raw")
                        .as(EntryPage.class)
                        .entries())
                .extracting(Entry::kind)
                .containsExactly("message", "deletion");
    }

    @Test
    void anEditedLastMessageIsPreviewedAsItStandsNow() {
        String id = said("before");
        olivia.patch(at(id), Map.of("content", "after"));
        await().atMost(LIMIT)
                .until(() ->
                        "after".equals(olivia.get(path).as(ThreadView.class).lastMessagePreview()));
    }

    @Test
    void aDeletionIsFinalWhateverEditsRaceIt() throws Exception {
        for (int round = 0; round < 10; round++) {
            String id = said("secret " + round);
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<?>> all = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    String text = "secret edit " + i;
                    all.add(threads.submit(() -> olivia.patch(at(id), Map.of("content", text))));
                }
                all.add(threads.submit(() -> olivia.delete(at(id))));
                for (Future<?> one : all) {
                    one.get();
                }
            }
        }
        assertThat(page("limit=50").messages()).hasSize(10).allSatisfy(message -> {
            assertThat(message.content()).isEmpty();
            assertThat(message.deletedAt()).isNotNull();
        });
    }

    @Test
    void reactionsBelongToTheirSenderAndCountOnce() {
        String id = said("nice");
        String thumb = "%F0%9F%91%8D";
        for (int i = 0; i < 2; i++) {
            olivia.put(at(id) + "/reactions/" + thumb);
            paul.put(at(id) + "/reactions/" + thumb);
        }
        paul.put(at(id) + "/reactions/ok");
        assertThat(page("limit=1").messages().getFirst().reactions())
                .containsExactly(
                        new Reaction("👍", List.of(olivia.actor(), paul.actor())),
                        new Reaction("ok", List.of(paul.actor())));
        assertThat(paul.get(path).as(ThreadView.class).lastSeq())
                .as("a message and three reactions")
                .isEqualTo(4);
        paul.delete(at(id) + "/reactions/ok");
        Message now = paul.delete(at(id) + "/reactions/ok").as(Message.class);
        assertThat(now.reactions()).containsExactly(new Reaction("👍", List.of(olivia.actor(), paul.actor())));
        assertThat(paul.get(path).as(ThreadView.class).lastSeq()).isEqualTo(5);
        assertThat(paul.put(at(id) + "/reactions/" + "x".repeat(65)).status()).isEqualTo(400);
        assertThat(olivia.get(path).as(ThreadView.class).unreadCount())
                .as("reactions are never unread")
                .isZero();
    }

    @Test
    void emojisOfOneSenderOnAMessageAreLimited() throws Exception {
        String id = said("hello");
        for (int i = 0; i < 20; i++) {
            assertThat(paul.put(at(id) + "/reactions/e" + i).status()).isEqualTo(200);
        }
        ChatCaller.Reply refused = paul.put(at(id) + "/reactions/e20");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body().path("detail").asString())
                .isEqualTo("emoji is one more than the 20 different ones that you may use on one message");
        assertThat(paul.delete(at(id) + "/reactions/e3").status()).isEqualTo(200);
        assertThat(paul.put(at(id) + "/reactions/e20").status())
                .as("a removed reaction stays in the log, and counts")
                .isEqualTo(400);
        assertThat(paul.put(at(id) + "/reactions/e3").status())
                .as("an emoji used before")
                .isEqualTo(200);
        assertThat(olivia.put(at(id) + "/reactions/e20").status())
                .as("another author")
                .isEqualTo(200);
        assertThat(paul.put(at(said("another")) + "/reactions/e20").status())
                .as("another message")
                .isEqualTo(200);
    }

    @Test
    void emojisThatComeAtOnceAreCountedTogether() throws Exception {
        String id = said("hello");
        List<Future<ChatCaller.Reply>> answers = new ArrayList<>();
        try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 40; i++) {
                String emoji = "e" + i;
                answers.add(pool.submit(() -> paul.put(at(id) + "/reactions/" + emoji)));
            }
            int taken = 0;
            for (Future<ChatCaller.Reply> answer : answers) {
                taken += answer.get().status() == 200 ? 1 : 0;
            }
            assertThat(taken).isEqualTo(20);
        }
        assertThat(page("limit=1").messages().getFirst().reactions()).hasSize(20);
    }

    /** However often an author edits, readers get the last text. */
    @Test
    void onlyTheLastEditIsRead() {
        String id = said("hello");
        olivia.put(at(id) + "/reactions/b");
        for (int i = 0; i < 30; i++) {
            paul.put(at(id) + "/reactions/a");
            paul.delete(at(id) + "/reactions/a");
            olivia.patch(at(id), Map.of("content", "hello " + i));
        }
        paul.put(at(id) + "/reactions/b");
        try (Database database = Database.open(server.database(), 1)) {
            assertThat(new RevisionReader(database)
                            .revisionsOf(
                                    ThreadId.parse(path.substring(path.lastIndexOf('/') + 1))
                                            .orElseThrow(),
                                    List.of(1L),
                                    Direction.FORWARDS,
                                    PageSize.of(1, Long.MAX_VALUE))
                            .bySeq()
                            .getOrDefault(1L, List.of()))
                    .extracting(revision ->
                            revision.content().kind() + " " + revision.content().text())
                    .containsExactly("REACTION b", "EDIT hello 29", "REACTION b");
        }
        Message now = page("limit=1").messages().getFirst();
        assertThat(now.content()).isEqualTo("hello 29");
        assertThat(now.reactions()).containsExactly(new Reaction("b", List.of(olivia.actor(), paul.actor())));
        Message deleted = olivia.delete(at(id)).as(Message.class);
        assertThat(deleted.deletedAt()).isNotNull();
        assertThat(deleted.editedAt()).isEqualTo(now.editedAt());
    }

    @Test
    void theLimitCountsMessagesHoweverManyRevisionsStandBetween() {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            ids.add(said("message " + i));
            for (int edit = 0; edit < 12; edit++) {
                olivia.patch(at(ids.getLast()), Map.of("content", "message " + i + " edit " + edit));
            }
        }
        List<String> forwards = new ArrayList<>();
        long after = 0;
        for (MessagePage page = page("after_seq=0&limit=2"); ; page = page("limit=2&after_seq=" + after)) {
            page.messages().forEach(message -> forwards.add(message.id()));
            after = page.nextAfterSeq();
            if (!page.hasMore()) {
                break;
            }
            assertThat(page.messages()).hasSize(2);
        }
        assertThat(forwards).containsExactlyElementsOf(ids);
        List<String> backwards = new ArrayList<>();
        for (MessagePage page = page("limit=2"); ; ) {
            page.messages().reversed().forEach(message -> backwards.add(message.id()));
            if (!page.hasMore()) {
                break;
            }
            page = page("limit=2&before_seq=" + page.messages().getFirst().threadSeq());
        }
        assertThat(backwards).containsExactlyElementsOf(ids.reversed());
        assertThat(page("limit=1").messages().getFirst().content()).isEqualTo("message 5 edit 11");
    }
}
