package dev.parley.api.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.Log;
import dev.parley.log.LogFeatures;
import dev.parley.log.LogSettings;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.chat.EventEnvelope;
import dev.parley.protocol.chat.EventPage;
import dev.parley.protocol.chat.Message;
import dev.parley.protocol.chat.MessagePage;
import dev.parley.protocol.chat.NewMessage;
import dev.parley.protocol.chat.NewThread;
import dev.parley.sdk.Cursor;
import dev.parley.sdk.EventStream;
import dev.parley.sdk.Parley;
import dev.parley.sdk.ParleyProblem;
import dev.parley.sdk.RetryPolicy;
import dev.parley.sdk.ThreadClient;
import dev.parley.storage.Database;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.RawHttp;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ReadThreadTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final UUID OLIVIA = UUID.randomUUID();

    @AutoClose
    private static final RunningServer server =
            RunningServer.start("--limit-heartbeat", "200ms", "--limit-user-messages-per-minute", "100000");

    private static final Parley olivia = server.as(OLIVIA, "Olivia");

    private final ThreadClient thread =
            olivia.thread(olivia.createThread(NewThread.titled("test")).threadId());

    private void post(int count) {
        for (int i = 0; i < count; i++) {
            thread.post(NewMessage.text("message " + i));
        }
    }

    @Test
    void pagesGoBothWaysAndSayWhetherThereIsMore() {
        post(25);
        MessagePage latest = thread.latestMessages(10);
        assertThat(seqs(latest)).containsExactlyElementsOf(range(16, 25));
        assertThat(latest.hasMore()).isTrue();
        assertThat(latest.nextAfterSeq()).isEqualTo(25);

        assertThat(seqs(thread.messagesBefore(16, 10))).containsExactlyElementsOf(range(6, 15));
        MessagePage first = thread.messagesBefore(6, 10);
        assertThat(seqs(first)).containsExactlyElementsOf(range(1, 5));
        assertThat(first.hasMore()).isFalse();

        MessagePage forward = thread.messagesAfter(0, 10);
        assertThat(seqs(forward)).containsExactlyElementsOf(range(1, 10));
        assertThat(forward.hasMore()).isTrue();
        MessagePage rest = thread.messagesAfter(20, 5);
        assertThat(seqs(rest)).containsExactlyElementsOf(range(21, 25));
        assertThat(rest.hasMore()).isFalse();
        MessagePage behind = thread.messagesAfter(25, 5);
        assertThat(behind.messages()).isEmpty();
        assertThat(behind.nextAfterSeq()).isEqualTo(25);
    }

    @Test
    void aPageLargerThanTheLimitIsClamped() {
        post(201);
        assertThat(thread.messagesAfter(0, 200).messages()).hasSize(200);
        MessagePage clamped = thread.messagesAfter(0, 1_000);
        assertThat(clamped.messages()).hasSize(200);
        assertThat(clamped.hasMore()).isTrue();
    }

    @Test
    void queriesThatCannotBeReadAreRefused() throws IOException {
        for (String query : List.of(
                "messages?after_seq=x",
                "messages?after_seq=-1",
                "messages?after_seq=1&before_seq=2",
                "messages?limit=0",
                "messages?revisions=zz",
                "messages?revisions=",
                "events?wait=soon")) {
            assertThat(get(query)).as(query).startsWith("400 ").contains("/problems/invalid-fields");
        }
        for (String query : List.of(
                "events?after_seq=1-",
                "events?after_seq=a",
                "events?after_seq=1-2-3",
                "events?after_seq=",
                "events?after_seq=7-0",
                "events?last_thread_seq=")) {
            assertThat(get(query)).as(query).startsWith("400 ").contains("/problems/invalid-cursor");
        }
    }

    private String get(String query) throws IOException {
        var answer = RawHttp.exchange(
                server.uri(),
                ("GET /api/v1/chat/threads/" + thread.id() + "/" + query
                                + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + server.token(OLIVIA, "Olivia")
                                + "\r\n\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1),
                LIMIT);
        return answer.status() + " " + answer.text();
    }

    @Test
    void aCursorBehindTheEndIsRefused() {
        post(3);
        assertThat(thread.poll(Cursor.after(3), 10, Duration.ZERO).events()).isEmpty();
        ParleyProblem problem =
                catchThrowableOfType(ParleyProblem.class, () -> thread.poll(Cursor.after(4), 10, Duration.ZERO));
        assertThat(problem.slug()).isEqualTo("invalid-cursor");
        problem = catchThrowableOfType(ParleyProblem.class, () -> thread.poll(new Cursor(3, 99), 10, Duration.ZERO));
        assertThat(problem.slug()).isEqualTo("invalid-cursor");
    }

    @Test
    void anEventIdThatTheThreadNeverGaveIsRefused() {
        post(3);
        for (Cursor madeUp : List.of(new Cursor(2, 1), new Cursor(1, 3), new Cursor(99, 2))) {
            ParleyProblem problem =
                    catchThrowableOfType(ParleyProblem.class, () -> thread.poll(madeUp, 10, Duration.ZERO));
            assertThat(problem.slug()).isEqualTo("invalid-cursor");
        }
    }

    @Test
    void aPollGivesEverythingInOrderPageByPage() {
        post(7);
        EventPage first = thread.poll(Cursor.START, 5, Duration.ZERO);
        assertThat(first.events().stream().map(EventEnvelope::eventId)).containsExactly("1", "2", "3", "4", "5");
        assertThat(first.hasMore()).isTrue();
        EventPage second = thread.poll(Cursor.after(5), 5, Duration.ZERO);
        assertThat(second.events().stream().map(EventEnvelope::eventId)).containsExactly("6", "7");
        assertThat(second.hasMore()).isFalse();
        EventEnvelope event = second.events().getLast();
        assertThat(event.eventType()).isEqualTo("message_committed");
        assertThat(event.threadId()).isEqualTo(thread.id());
        assertThat(event.senderId()).isEqualTo(Actor.user(OLIVIA));
        assertThat(event.content()).isEqualTo("message 6");
        assertThat(event.role()).isEqualTo("user");
    }

    @Test
    void aLongPollIsAnsweredByTheNextMessage() throws Exception {
        post(1);
        try (ExecutorService poller = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<EventPage> waiting = poller.submit(() -> thread.poll(Cursor.after(1), 10, Duration.ofSeconds(30)));
            thread.post(NewMessage.text("news"));
            assertThat(waiting.get().events().stream().map(EventEnvelope::content))
                    .containsExactly("news");
        }
    }

    @Test
    void aLongPollWithoutNewsEndsEmpty() {
        assertThat(thread.poll(Cursor.START, 10, Duration.ofSeconds(1)).events())
                .isEmpty();
    }

    @Test
    void aStreamReplaysFromEveryPositionAndThenGoesLive() {
        post(10);
        for (int start = 0; start <= 10; start++) {
            try (EventStream stream = thread.open(Cursor.after(start))) {
                assertThat(take(stream, 10 - start)).containsExactlyElementsOf(range(start + 1, 10));
                assertThat(stream.violations()).isZero();
            }
        }
        try (EventStream stream = thread.open(Cursor.after(8))) {
            assertThat(take(stream, 2)).containsExactly(9L, 10L);
            post(5);
            assertThat(take(stream, 5)).containsExactlyElementsOf(range(11, 15));
            assertThat(stream.violations()).isZero();
        }
    }

    @Test
    void aStreamFarBehindCatchesUpWhileOthersWrite() throws Exception {
        post(450);
        try (ExecutorService writer = Executors.newVirtualThreadPerTaskExecutor();
                EventStream stream = thread.open(Cursor.START)) {
            Future<?> writing = writer.submit(() -> post(150));
            assertThat(take(stream, 600)).containsExactlyElementsOf(range(1, 600));
            assertThat(stream.violations()).isZero();
            writing.get();
        }
    }

    @Test
    void withoutACursorAStreamIsLiveAndBeatsItsHeart() throws IOException {
        post(2);
        try (RawHttp http = RawHttp.connect(server.uri(), LIMIT)) {
            http.send("GET /api/v1/chat/threads/" + thread.id()
                    + "/events/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + server.token(OLIVIA, "Olivia")
                    + "\r\n\r\n");
            var head = http.readHead();
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.header("content-type")).hasValue("text/event-stream; charset=utf-8");
            awaitLine(http, ": keep-alive");
            thread.post(NewMessage.text("now"));
            assertThat(awaitLine(http, "id: ")).isEqualTo("id: 3");
            assertThat(http.readLine()).endsWith("event: message_committed");
        }
    }

    private static String awaitLine(RawHttp http, String start) throws IOException {
        String line = http.readLine();
        while (!line.startsWith(start)) {
            line = http.readLine();
        }
        return line;
    }

    /** Another node writes to the same database: no wake-up reaches this node, only its repair. */
    @Test
    void eventsOfAnotherNodeAndBetweenEntriesArriveWithBothKindsOfCursor() {
        post(1);
        Actor author = Actor.user(OLIVIA);
        try (Database database = Database.open(server.database(), 2);
                Log otherNode = new Log(
                        database,
                        LogFeatures.NONE,
                        new LogSettings(1, 100, 1_000_000, 100, 1_000_000, LIMIT),
                        Clock.systemUTC(),
                        events -> {},
                        new SimpleMeterRegistry());
                EventStream stream = thread.open(Cursor.START)) {
            assertThat(take(stream, 1)).containsExactly(1L);
            otherNode.append(announcement(thread.id(), author));
            otherNode.append(announcement(thread.id(), author));
            List<String> ids = new ArrayList<>();
            // Read before any write on this node: only the repair can bring these two.
            ids.add(stream.next(LIMIT).orElseThrow().eventId());
            ids.add(stream.next(LIMIT).orElseThrow().eventId());
            thread.post(NewMessage.text("second"));
            ids.add(stream.next(LIMIT).orElseThrow().eventId());
            assertThat(ids).containsExactly("1-2", "1-3", "2");
            assertThat(stream.violations()).isZero();
        }
        assertThat(ids(thread.poll(new Cursor(1, 2), 10, Duration.ZERO))).containsExactly("1-3", "2");
        assertThat(ids(thread.poll(Cursor.after(1), 10, Duration.ZERO))).containsExactly("1-2", "1-3", "2");
        assertThat(ids(thread.poll(new Cursor(1, 3), 10, Duration.ZERO))).containsExactly("2");
    }

    private static Command announcement(ThreadId thread, Actor author) {
        return new Command(
                UuidV7.next(),
                thread,
                author,
                List.of(new Change.Announce("thread_updated", author, "{\"title\":\"x\"}")));
    }

    @Test
    void anActorHasSoManyStreamsAndNoMore() {
        UUID busy = UUID.randomUUID();
        Parley client = server.as(busy);
        ThreadClient own =
                client.thread(client.createThread(NewThread.titled("test")).threadId());
        own.post(NewMessage.text("hello"));
        List<EventStream> open = new ArrayList<>();
        try {
            for (int i = 0; i < 64; i++) {
                EventStream stream = own.open(Cursor.START);
                open.add(stream);
                assertThat(stream.next(LIMIT)).isPresent();
            }
            var refused = catchThrowableOfType(ParleyProblem.class, () -> {
                try (EventStream one = Parley.at(server.uri())
                        .token(() -> server.token(busy, "busy"))
                        .retryStreams(RetryPolicy.never())
                        .connect()
                        .thread(own.id())
                        .open(Cursor.START)) {
                    one.next(LIMIT);
                }
            });
            assertThat(refused.slug()).isEqualTo("too-many-streams");
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.retryAfter()).isPresent();
        } finally {
            open.forEach(EventStream::close);
        }
    }

    private static List<Long> take(EventStream stream, int count) {
        List<Long> seqs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            seqs.add(stream.next(LIMIT)
                    .orElseThrow(() -> new AssertionError("after " + seqs))
                    .threadSeq());
        }
        return seqs;
    }

    private static List<String> ids(EventPage page) {
        return page.events().stream().map(EventEnvelope::eventId).toList();
    }

    private static List<Long> seqs(MessagePage page) {
        return page.messages().stream().map(Message::threadSeq).toList();
    }

    private static List<Long> range(long from, long to) {
        return LongStream.rangeClosed(from, to).boxed().toList();
    }
}
