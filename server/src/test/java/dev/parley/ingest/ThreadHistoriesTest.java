package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.limits.Limits;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The read of earlier messages, with all results and failures of an adapter. */
class ThreadHistoriesTest {
    private static final String HEADER = "[Thread context — prior messages in this thread, newest last]";
    private static final EarlierMessage ROOT = message("root", "the root", true);

    private static EarlierMessage message(String id, String text, boolean first) {
        return message(id, text, null, first);
    }

    private static EarlierMessage message(String id, String text, @Nullable Instant saidAt, boolean first) {
        return new EarlierMessage(
                id, null, null, new EarlierMessage.Author("slack:U03ASH", "Ash", null), text, saidAt, first);
    }

    @AutoClose
    private static final RunningServer server = Relay.start();

    private final AtomicInteger reads = new AtomicInteger();
    private final Platform platform = Platform.of(server, "slack");

    private void bring(String id, String text, PlatformHistory.Reader reader) {
        platform.bring(posted(id, text, inThread(reader)));
    }

    private PlatformEvent.Posted posted(String id, String text, MissingHistory... missing) {
        ObjectNode metadata = platform.metadata(id).put("external_thread_id", "root");
        return with(platform.said(text, metadata, PlatformEvent.Echo.NONE), missing);
    }

    private static PlatformEvent.Posted with(PlatformEvent.Posted posted, MissingHistory... missing) {
        return new PlatformEvent.Posted(posted.message(), posted.files(), posted.echo(), List.of(missing));
    }

    private MissingHistory inThread(PlatformHistory.Reader reader) {
        return new MissingHistory.InThread("root", false, (most, limit) -> {
            reads.incrementAndGet();
            return reader.read(most, limit);
        });
    }

    private List<String> contextOf(int index) {
        return metadataOf(index).path("thread_context").asString("").lines().toList();
    }

    private JsonNode metadataOf(int index) {
        return platform.messages().get(index).path("metadata");
    }

    @Test
    void brokenReader_doesNotKeepTheMessageOut() {
        bring("1", "早上好", (most, limit) -> {
            throw new IllegalStateException("nobody foresaw this");
        });

        assertThat(platform.texts()).containsExactly("早上好");
        assertThat(metadataOf(0).at("/thread_history/problem").asString())
                .isEqualTo("The platform's answer could not be read.");
        assertThat(metadataOf(0).has("thread_context")).isFalse();
    }

    @Test
    void finalAnswer_isNotReadAgain() {
        bring("1", "one", (most, limit) -> new PlatformHistory.Unread("Gone.", null));
        bring("2", "two", (most, limit) -> new PlatformHistory.Unread("Gone.", null));

        assertThat(reads).hasValue(1);
        assertThat(metadataOf(1).has("thread_history")).isFalse();
    }

    @Test
    void pause_endsWhenItIsOver() {
        bring("1", "one", (most, limit) -> new PlatformHistory.Unread("Later.", Duration.ofHours(1)));
        bring("2", "two", (most, limit) -> new PlatformHistory.Unread("Later.", Duration.ofHours(1)));
        assertThat(reads).hasValue(1);

        server.execute("update bindings set history_next_at = now() where channel = '" + platform.channel() + "'");
        bring("3", "three", (most, limit) -> PlatformHistory.Read.all(List.of(ROOT)));

        assertThat(reads).hasValue(2);
        assertThat(metadataOf(2).path("thread_context").asString()).endsWith("\n- Ash: the root");
    }

    @Test
    void deletedThread_isReadAgainForItsSuccessor() {
        PlatformHistory.Reader reader = (most, limit) -> PlatformHistory.Read.all(List.of(ROOT));
        bring("1", "one", reader);
        assertThat(Relay.operator(server)
                        .delete("/api/v1/chat/threads/" + platform.thread())
                        .status())
                .isLessThan(300);

        bring("2", "two", reader);

        assertThat(reads).hasValue(2);
        assertThat(metadataOf(0).path("thread_context").asString()).endsWith("\n- Ash: the root");
    }

    private void bringWithoutHistory(String id) {
        bring(id, id, (most, limit) -> new PlatformHistory.Unread("Later.", Duration.ofHours(1)));
    }

    private void endPause() {
        server.execute("update bindings set history_next_at = now() where channel = '" + platform.channel() + "'");
    }

    @Test
    void skippedMessagesThatTheThreadHolds_areNotCounted() {
        bringWithoutHistory("1");
        bringWithoutHistory("2");
        bringWithoutHistory("3");
        endPause();

        bring(
                "4",
                "four",
                (most, limit) -> new PlatformHistory.Read(
                        List.of(ROOT, message("3", "3", false)),
                        new PlatformHistory.Skipped(List.of(List.of("0"), List.of("1"), List.of("2")), 0),
                        false,
                        null));

        assertThat(contextOf(3)).containsExactly(HEADER, "- Ash: the root", "- (1 message left out)");
    }

    @Test
    void skippedMessagesWithoutIds_areNotCountedBeforeAMessageThatTheThreadHolds() {
        bringWithoutHistory("1");
        endPause();

        bring(
                "2",
                "two",
                (most, limit) -> new PlatformHistory.Read(
                        List.of(ROOT, message("1", "1", false)),
                        new PlatformHistory.Skipped(List.of(), 10),
                        false,
                        null));

        assertThat(contextOf(1)).containsExactly(HEADER, "- Ash: the root");
    }

    @Test
    void answeredMessage_standsAtItsTimeAndIsNotLeftOut() {
        Instant time = Instant.parse("2026-11-01T12:00:00Z");
        PlatformHistory thread = new PlatformHistory.Read(
                List.of(message("root", "the root", time, true), message("9", "nine", time.plusSeconds(9), false)),
                new PlatformHistory.Skipped(List.of(), 8),
                false,
                null);
        EarlierMessage answered = message("5", "five", time.plusSeconds(5), false);

        platform.bring(posted(
                "10",
                "ten",
                inThread((most, limit) -> thread),
                new MissingHistory.Reply("5", (most, limit) -> PlatformHistory.Read.all(List.of(answered)))));

        assertThat(contextOf(0))
                .containsExactly(HEADER, "- Ash: the root", "- (7 messages left out)", "- Ash: five", "- Ash: nine");
    }

    @Test
    void failureAfterTheClaim_releasesIt() {
        MissingHistory.Reply stopped = new MissingHistory.Reply("0", (most, limit) -> {
            throw new InterruptedException();
        });

        assertThatThrownBy(() -> platform.bring(posted(
                        "1", "one", inThread((most, limit) -> PlatformHistory.Read.all(List.of(ROOT))), stopped)))
                .isInstanceOf(ProblemException.class);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(server.count("select count(*) from bindings where channel = '" + platform.channel()
                        + "' and held_until is not null"))
                .isZero();
    }

    @Test
    void lease_coversBothReadsAndTheAppend() {
        AtomicLong seconds = new AtomicLong();
        bring("1", "one", (most, limit) -> {
            seconds.set(server.count("select extract(epoch from held_until - now())::bigint from bindings"
                    + " where channel = '" + platform.channel() + "'"));
            return PlatformHistory.Read.all(List.of(ROOT));
        });

        Limits limits = Limits.defaults();
        Duration longest =
                limits.ingest().historyTime().multipliedBy(2).plus(limits.lane().appendDeadline());
        assertThat(ThreadHistories.lease(limits.ingest(), limits.lane().appendDeadline()))
                .isGreaterThanOrEqualTo(longest);
        // Independent of the time since the claim.
        assertThat(seconds).hasValueBetween(1, longest.toSeconds() + 2);
    }

    @Test
    void failuresOfFiles_stayBesideALongContext() {
        List<RemoteFile> files = Stream.iterate(0, i -> i + 1)
                .limit(20)
                .map(i -> new RemoteFile("https://example.com/" + i, i + "n".repeat(180), "text/plain", 1, () -> {
                    throw new RemoteFile.Failed("r".repeat(280));
                }))
                .toList();
        ObjectNode metadata = platform.metadata("1").put("external_thread_id", "root");
        metadata.put("slack_text", "s".repeat(3_000));
        List<EarlierMessage> messages = Stream.concat(
                        Stream.of(ROOT),
                        Stream.iterate(0, i -> i + 1).limit(50).map(i -> message("m" + i, "\"".repeat(390), false)))
                .toList();

        platform.bring(with(
                platform.said("one", metadata, PlatformEvent.Echo.NONE, files.toArray(RemoteFile[]::new)),
                inThread((most, limit) -> PlatformHistory.Read.all(messages))));

        assertThat(metadataOf(0).path("file_failures")).hasSize(20);
        assertThat(contextOf(0)).contains(HEADER, "- Ash: the root").hasSizeGreaterThan(3);
        assertThat(server.count("select octet_length(metadata::text) from entries where thread_id = '"
                        + platform.thread() + "' and seq = 1"))
                .isBetween(14L * 1024, 16L * 1024);
    }

    @Test
    void rootByAConsoleUser_hasTheDisplayName() {
        platform.say("from the console", "root");
        String thread = platform.thread();
        UUID ada = UUID.randomUUID();
        server.execute(
                "update entries set author = 'user:" + ada + "', metadata = null where seq = 1 and thread_id = '"
                        + thread + "'",
                "insert into known_names (actor, display_name) values ('user:" + ada + "', 'Ada')");

        platform.bring(posted(
                "1",
                "one",
                new MissingHistory.InThread("root", true, (most, limit) -> PlatformHistory.Read.all(List.of()))));

        assertThat(server.select("select metadata ->> 'thread_context' from entries e join bindings b using (thread_id)"
                        + " where b.channel = '" + platform.channel()
                        + "' and b.external_thread = 'root' and e.seq = 1"))
                .containsExactly(HEADER + "\n- Ada: from the console");
    }

    @Test
    void requestThatNeverEnds_delaysItsRetriesForALimitedTime() throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        try (RunningServer impatient = server.beside(
                        "--limit-platform-history-time",
                        "1s",
                        "--limit-platform-files-time",
                        "1s",
                        "--limit-platform-names-time",
                        "1s",
                        "--limit-append-deadline",
                        "5s");
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Platform slow = new Platform(impatient, platform.source(), platform.channel());
            PlatformEvent.Posted posted = posted("1", "one", inThread((most, limit) -> {
                read.countDown();
                over.await();
                return PlatformHistory.Read.all(List.of(ROOT));
            }));
            Future<?> first = callers.submit(() -> slow.bring(posted));
            assertThat(read.await(30, TimeUnit.SECONDS)).isTrue();

            assertThatThrownBy(() -> slow.bring(posted))
                    .isInstanceOfSatisfying(
                            ProblemException.class,
                            refused -> assertThat(refused.problem()).isEqualTo(Problem.OVERLOADED));

            over.countDown();
            first.get();
        }
        assertThat(platform.texts()).containsExactly("one");
    }

    @Test
    void integration_cannotSetTheOutcomeItself() {
        Relay relay = Relay.of(server, "slack");
        ObjectNode metadata = relay.metadata();
        metadata.putObject("thread_history").put("from", "slack");

        assertThat(relay.api()
                        .post("/api/v1/ingest/chat", Relay.body("hi", metadata).toString())
                        .toString())
                .startsWith("400")
                .contains("thread_history");
    }
}
