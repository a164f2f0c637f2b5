package dev.parley.api.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.log.Command;
import dev.parley.log.Draft;
import dev.parley.log.EntryContent;
import dev.parley.log.Fingerprint;
import dev.parley.log.Log;
import dev.parley.log.LogFeatures;
import dev.parley.log.LogSettings;
import dev.parley.log.Role;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.chat.InboxHint;
import dev.parley.storage.Database;
import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import dev.parley.testing.StreamTap;
import dev.parley.threads.Activity;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** One stream over all threads of a user. */
class InboxTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private static List<InboxHint> hints(StreamTap inbox, ThreadId thread) {
        return inbox.frames("thread_changed").stream()
                .map(frame -> Json.MAPPER.readValue(frame.data(), InboxHint.class))
                .filter(hint -> hint.threadId().equals(thread))
                .toList();
    }

    private static void awaitHint(
            StreamTap inbox, ThreadId thread, long seq, int unread, @Nullable Boolean shouldRespond) {
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(hints(inbox, thread))
                        .last()
                        .isEqualTo(new InboxHint(thread, seq, unread, shouldRespond)));
    }

    private static void said(ChatCaller caller, ThreadId thread, String content) {
        assertThat(caller.post("/chat/threads/" + thread + "/messages", Map.of("content", content))
                        .status())
                .isEqualTo(201);
    }

    /** Opens an inbox; from its answer on the server knows it. */
    private static StreamTap open(ChatCaller caller) {
        StreamTap inbox = caller.stream("/chat/inbox/stream");
        assertThat(inbox.status()).isEqualTo(200);
        return inbox;
    }

    @Test
    void hintsAreOfTheUsersOwnThreadsOnly() {
        ChatCaller olivia = ChatCaller.user(server, "Olivia");
        ChatCaller paul = ChatCaller.user(server, "Paul");
        ChatCaller.Agent agent = olivia.newAgent("Agent");
        ThreadId shared = olivia.newThread(paul, agent.api()).threadId();
        ThreadId own = olivia.newThread().threadId();
        try (StreamTap toOlivia = open(olivia);
                StreamTap toPaul = open(paul);
                StreamTap toAgent = open(agent.api())) {
            said(olivia, shared, "hello");
            said(olivia, own, "note");
            awaitHint(toOlivia, shared, 1, 0, null);
            awaitHint(toOlivia, own, 1, 0, null);
            awaitHint(toPaul, shared, 1, 1, null);
            awaitHint(toAgent, shared, 1, 1, true);
            agent.api().post("/chat/threads/" + shared + "/agent-messages", Map.of("content", "hi"));
            awaitHint(toAgent, shared, 2, 0, false);
            awaitHint(toPaul, shared, 2, 2, null);
            assertThat(hints(toPaul, own)).isEmpty();
            assertThat(toPaul.frames("thread_changed"))
                    .allSatisfy(frame -> assertThat(frame.hasId()).isFalse());
        }
    }

    @Test
    void manyMessagesAreFewHints() {
        ChatCaller olivia = ChatCaller.user(server, "Olivia");
        ChatCaller paul = ChatCaller.user(server, "Paul");
        ThreadId thread = olivia.newThread(paul).threadId();
        ThreadId last = olivia.newThread(paul).threadId();
        try (StreamTap inbox = open(paul)) {
            long started = System.nanoTime();
            for (int i = 0; i < 200; i++) {
                said(olivia, thread, "message " + i);
            }
            awaitHint(inbox, thread, 200, 100, null);
            said(olivia, last, "end");
            awaitHint(inbox, last, 1, 1, null);
            long seconds = Duration.ofNanos(System.nanoTime() - started).toSeconds();
            assertThat(hints(inbox, thread)).hasSizeLessThanOrEqualTo((int) seconds + 2);
        }
    }

    @Test
    void oneHintForSeveralMessagesAsksForAnAnswerIfOneOfThemDoes() {
        ChatCaller olivia = ChatCaller.user(server, "Olivia");
        ChatCaller.Agent agent = olivia.newAgent("Zed");
        List<ThreadId> rooms = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ThreadId room = olivia.newThread(agent.api()).threadId();
            assertThat(olivia.post("/chat/threads/" + room + "/mode", Map.of("participation_mode", "invocation_only"))
                            .status())
                    .isEqualTo(200);
            rooms.add(room);
        }
        try (StreamTap inbox = open(agent.api())) {
            for (ThreadId room : rooms) {
                said(olivia, room, "@Zed please");
                said(olivia, room, "never mind the others");
            }
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(rooms)
                            .allSatisfy(room -> assertThat(hints(inbox, room))
                                    .anyMatch(hint -> Boolean.TRUE.equals(hint.shouldRespond()))));
        }
    }

    @Test
    void writesOfAnotherNodeAreHintedOnce() {
        ChatCaller olivia = ChatCaller.user(server, "Olivia");
        ChatCaller paul = ChatCaller.user(server, "Paul");
        ThreadId first = olivia.newThread(paul).threadId();
        ThreadId second = olivia.newThread(paul).threadId();
        ThreadId last = olivia.newThread(paul).threadId();
        try (Database database = Database.open(server.database(), 2);
                Activity activity = new Activity(database);
                Log otherNode = new Log(
                        database,
                        LogFeatures.NONE,
                        new LogSettings(1, 100, 1_000_000, 100, 1_000_000, LIMIT),
                        Clock.systemUTC(),
                        activity::committed,
                        new SimpleMeterRegistry());
                StreamTap toPaul = open(paul);
                StreamTap toOlivia = open(olivia)) {
            // A hint of this node's own shows that both inboxes are read.
            said(olivia, last, "ready");
            awaitHint(toPaul, last, 1, 1, null);
            awaitHint(toOlivia, last, 1, 0, null);
            otherNode.append(message(first, olivia.actor()));
            otherNode.append(message(second, olivia.actor()));
            awaitHint(toPaul, first, 1, 1, null);
            awaitHint(toPaul, second, 1, 1, null);
            awaitHint(toOlivia, first, 1, 0, null);
            // After several more rounds of reading, no hint has been repeated.
            for (int i = 2; i <= 5; i++) {
                said(olivia, last, "round " + i);
                awaitHint(toPaul, last, i, i, null);
            }
            assertThat(hints(toPaul, first)).doesNotHaveDuplicates();
            assertThat(hints(toOlivia, second)).doesNotHaveDuplicates();
        }
    }

    @Test
    void noHintIsLostHoweverManyThereAreAtOnce() {
        ChatCaller olivia = ChatCaller.user(server, "Olivia");
        ChatCaller paul = ChatCaller.user(server, "Paul");
        ThreadId ready = olivia.newThread(paul).threadId();
        int many = 10_500;
        try (StreamTap inbox = open(paul)) {
            said(olivia, ready, "ready");
            awaitHint(inbox, ready, 1, 1, null);
            manyActiveThreads(paul.actor(), many);
            await().atMost(LIMIT).untilAsserted(() -> assertThat(threads(inbox)).hasSize(many + 1));
        }
    }

    private static Set<ThreadId> threads(StreamTap inbox) {
        return inbox.frames("thread_changed").stream()
                .map(frame ->
                        Json.MAPPER.readValue(frame.data(), InboxHint.class).threadId())
                .collect(Collectors.toSet());
    }

    /** As another node would leave them: more than one page of them, and more than a connection takes at once. */
    private static void manyActiveThreads(Actor member, int count) {
        server.execute("""
                insert into threads (thread_id, thread_type, title, participation_mode, created_by, created_at)
                select gen_random_uuid(), 'private', 'one of many', 'open', 'user:x', now()
                from generate_series(1, %d)""".formatted(count), """
                insert into thread_heads (thread_id, last_created_at, head_hash)
                select thread_id, now(), '\\x00' from threads where title = 'one of many'""", """
                insert into participants (thread_id, actor, display_name, capabilities, joined_at)
                select thread_id, '%s', 'Paul', 15, now() from threads where title = 'one of many'""".formatted(member.value()), """
                insert into read_marks (thread_id, actor, last_read_seq)
                select thread_id, '%s', 0 from threads where title = 'one of many'""".formatted(member.value()), """
                insert into thread_activity (thread_id, last_seq, updated_at)
                select thread_id, 0, clock_timestamp() from threads where title = 'one of many'""");
    }

    private static Command message(ThreadId thread, Actor author) {
        return Command.append(
                thread,
                Draft.of(
                        EntryContent.message(UuidV7.next().toString(), author, Role.USER, "from elsewhere"),
                        null,
                        Fingerprint.of("from elsewhere", List.of(), null, null)));
    }
}
