package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.log.Compaction;
import dev.parley.protocol.ThreadId;
import dev.parley.storage.Database;
import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Following: every cursor leads on to exactly the next event. */
class RunStreamTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private final AgentCaller caller = AgentCaller.somebody(server);
    private final String thread = UUID.randomUUID().toString();
    private final String events = "/api/v1/agent/runs/" + thread + "/events";

    /** The thread's frames up to the end of a run. */
    private List<AgentCaller.Frame> threadUpTo(String run, String path, String... headers) {
        return caller.frames(
                path,
                frame -> frame.isTerminal()
                        && frame.data().at("/metadata/runId").asString().equals(run),
                headers);
    }

    @Test
    void everyCursorGivesTheRestBeforeAndAfterCompaction() {
        caller.start(thread, "r", "/think 你好 👩‍👩‍👧 and some more words to be split e\u0301");
        List<AgentCaller.Frame> whole = caller.follow(thread, "r");
        Map<String, String> texts = AgentCaller.texts(whole);
        for (int i = 0; i < whole.size() - 1; i++) {
            assertThat(caller.frames(events + "?runId=r&after=" + whole.get(i).id(), frame -> false))
                    .isEqualTo(whole.subList(i + 1, whole.size()));
        }
        compact("r");
        List<AgentCaller.Frame> compacted = caller.follow(thread, "r");
        assertThat(compacted).hasSizeLessThan(whole.size());
        assertThat(AgentCaller.texts(compacted)).isEqualTo(texts);
        for (int i = 0; i < whole.size() - 1; i++) {
            List<AgentCaller.Frame> joined = new ArrayList<>(whole.subList(0, i + 1));
            List<AgentCaller.Frame> rest = caller.frames(
                    events + "?runId=r",
                    frame -> false,
                    "Last-Event-ID",
                    Long.toString(whole.get(i).id()));
            rest.forEach(frame ->
                    assertThat(frame.id()).isGreaterThan(joined.getLast().id()));
            joined.addAll(rest);
            assertThat(AgentCaller.texts(joined)).isEqualTo(texts);
            assertThat(withoutDeltas(joined)).isEqualTo(withoutDeltas(whole));
        }
    }

    private static List<AgentCaller.Frame> withoutDeltas(List<AgentCaller.Frame> frames) {
        return frames.stream()
                .filter(frame -> !frame.type().endsWith("_CONTENT"))
                .toList();
    }

    private void compact(String run) {
        JsonNode row = caller.run(thread, run);
        try (Database database = Database.open(server.database(), 1)) {
            Compaction compaction = new Compaction(database);
            long to = row.get("lastEvent").asLong();
            for (long from = row.get("firstEvent").asLong(); from <= to; ) {
                from = compaction.compact(
                                ThreadId.parse(thread).orElseThrow(),
                                UUID.fromString(row.get("taskId").asString()),
                                from,
                                to)
                        + 1;
            }
        }
    }

    @Test
    void streamOfTheThreadHasItsMessages() {
        caller.start(thread, "r", "hello");
        List<AgentCaller.Frame> frames = threadUpTo("r", events + "?after=0");
        List<String> said = frames.stream()
                .filter(frame -> frame.data().path("name").asString("").equals("message_committed"))
                .map(frame -> frame.data().at("/value/content").asString())
                .toList();
        assertThat(said).containsExactly("hello", "You said: hello");
        assertThat(frames)
                .extracting(AgentCaller.Frame::id)
                .doesNotHaveDuplicates()
                .isSorted();
        // The answer comes before the end of its run, and both are there together.
        assertThat(frames.get(frames.size() - 2).data().at("/value/content").asString())
                .isEqualTo("You said: hello");
    }

    @Test
    void withoutACursorItStartsAtTheActiveRun() {
        caller.start(thread, "old", "before");
        caller.follow(thread, "old");
        caller.start(thread, "slow", "/slow 30");
        await().until(() -> caller.run(thread, "slow").get("state").asString().equals("running"));
        List<AgentCaller.Frame> frames = threadUpTo("slow", events);
        assertThat(frames.getFirst().type()).isEqualTo("RUN_STARTED");
        assertThat(frames.getFirst().data().get("runId").asString()).isEqualTo("slow");
        assertThat(AgentCaller.texts(frames)).isEqualTo(AgentCaller.texts(caller.follow(thread, "slow")));
    }

    @Test
    void aQueuedRunIsWaitedFor() throws Exception {
        caller.start(thread, "slow", "/slow 2000");
        await().until(() -> caller.run(thread, "slow").get("state").asString().equals("running"));
        caller.start(thread, "next", "hello");
        List<AgentCaller.Frame> seen = new ArrayList<>();
        Thread viewer = Thread.startVirtualThread(() -> seen.addAll(caller.follow(thread, "next")));
        caller.cancel(thread, "slow");
        viewer.join();
        assertThat(seen).isEqualTo(caller.follow(thread, "next"));
        assertThat(AgentCaller.texts(seen).values()).containsExactly("You said: hello");
    }

    @Test
    void unusableCursorAnswersAResync() {
        caller.start(thread, "r", "hello");
        List<AgentCaller.Frame> whole = caller.follow(thread, "r");
        AgentCaller.Frame resync =
                caller.frames(events + "?after=999999", frame -> true).getFirst();
        assertThat(caller.frames(events + "?after=" + "9".repeat(30), frame -> true)
                        .getFirst()
                        .data()
                        .at("/value/reason")
                        .asString())
                .isEqualTo("ahead");
        assertThat(resync.data().get("name").asString()).isEqualTo("resync");
        assertThat(resync.data().at("/value/reason").asString()).isEqualTo("ahead");
        assertThat(resync.data().at("/value/reload/0").asString()).contains(thread);
        assertThat(resync.id())
                .isEqualTo(caller.run(thread, "r").get("lastEvent").asLong() + 1);
        JsonNode row = caller.run(thread, "r");
        try (Database database = Database.open(server.database(), 1)) {
            new Compaction(database)
                    .expire(
                            ThreadId.parse(thread).orElseThrow(),
                            UUID.fromString(row.get("taskId").asString()),
                            row.get("firstEvent").asLong(),
                            row.get("lastEvent").asLong());
        }
        AgentCaller.Frame expired =
                caller.frames(events + "?after=1", frame -> true).getFirst();
        assertThat(expired.data().at("/value/reason").asString()).isEqualTo("expired");
        assertThat(caller.frames(events + "?runId=r&after=999999", frame -> false))
                .hasSize(1);
        // A client that has read the beginning is not sent it again.
        assertThat(caller.frames(events + "?runId=r&after=" + whole.get(1).id(), frame -> false))
                .extracting(AgentCaller.Frame::type)
                .containsExactly("CUSTOM", "RUN_FINISHED");
        // A stream of the run itself has its beginning and its end, and ends.
        List<AgentCaller.Frame> gone = caller.follow(thread, "r");
        assertThat(gone.getFirst().type()).isEqualTo("RUN_STARTED");
        assertThat(gone)
                .anySatisfy(frame ->
                        assertThat(frame.data().path("name").asString("")).isEqualTo("resync"));
        assertThat(gone.getLast().type()).isEqualTo("RUN_FINISHED");
        assertThat(gone.getLast().id()).isEqualTo(whole.getLast().id());
    }

    @Test
    void finishedRun_cursorAtOrAfterItsEnd_answersNoContent() {
        caller.start(thread, "r", "hello");
        List<AgentCaller.Frame> whole = caller.follow(thread, "r");
        caller.start(thread, "later", "hello again");
        long laterEnd = caller.follow(thread, "later").getLast().id();
        long end = whole.getLast().id();
        String only = events + "?runId=r";

        for (long cursor : new long[] {end, end + 1, laterEnd}) {
            Api.Reply byHeader = caller.api().send("GET", only, null, "Last-Event-ID: " + cursor);
            assertThat(byHeader.status()).isEqualTo(204);
            assertThat(byHeader.answer().body()).isEmpty();
            assertThat(caller.api().get(only + "&after=" + cursor).status()).isEqualTo(204);
        }
        // One event before the end, and without a cursor, the stream has the rest.
        assertThat(caller.frames(only + "&after=" + (end - 1), frame -> false))
                .extracting(AgentCaller.Frame::id)
                .containsExactly(end);
        assertThat(caller.follow(thread, "r")).isEqualTo(whole);
        compact("r");
        assertThat(caller.api().get(only + "&after=" + end).status()).isEqualTo(204);
    }

    @Test
    void replacedRun_cursorAtItsEnd_continuesWithTheReplacement() {
        caller.start(thread, "r", "hello");
        long end = caller.follow(thread, "r").getLast().id();
        again("r2");
        again("r3");
        List<AgentCaller.Frame> standing = caller.follow(thread, "r3");

        // Its own events stay readable under its name; they are followed by the latest run that answers its question.
        assertThat(caller.follow(thread, "r").getLast().id()).isEqualTo(end);
        assertThat(caller.frames(events + "?runId=r&after=" + end, frame -> false))
                .isEqualTo(standing);
        long middle = standing.get(2).id();
        assertThat(caller.frames(events + "?runId=r&after=" + middle, frame -> false))
                .isEqualTo(standing.subList(3, standing.size()));
        assertThat(caller.api()
                        .get(events + "?runId=r&after=" + standing.getLast().id())
                        .status())
                .isEqualTo(204);
    }

    private void again(String run) {
        Map<String, Object> input = AgentCaller.input(thread, run, "hello");
        input.put("forwardedProps", Map.of("regenerateFrom", "msg-r"));
        assertThat(caller.start(input).status()).isEqualTo(202);
        caller.follow(thread, run);
    }

    @Test
    void invalidRequestIsRefused() {
        caller.start(thread, "r", "hello");
        for (String cursor : List.of("-1", "x", "1-2", "1.5")) {
            assertThat(caller.api().get(events + "?after=" + cursor).problem()).contains("invalid-cursor");
            assertThat(caller.api()
                            .send("GET", events + "?after=" + cursor, null, "Last-Event-ID: 1")
                            .problem())
                    .contains("invalid-cursor");
        }
        assertThat(caller.api().get(events + "?runId=nothing").problem()).contains("run-not-found");
        assertThat(caller.api().get(events + "?runId=%00").problem()).contains("malformed-request");
        Api stranger = server.api(UUID.randomUUID(), "Stranger");
        assertThat(stranger.get(events).problem()).contains("thread-not-found");
    }

    @Test
    void aRunOfAThousandWordsIsSeenBySeveralViewersAlike() throws Exception {
        caller.start(thread, "long", "one two three ".repeat(300));
        List<List<AgentCaller.Frame>> seen = new ArrayList<>();
        List<Thread> viewers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            viewers.add(Thread.startVirtualThread(() -> {
                List<AgentCaller.Frame> frames = caller.follow(thread, "long");
                synchronized (seen) {
                    seen.add(frames);
                }
            }));
        }
        for (Thread viewer : viewers) {
            viewer.join();
        }
        List<AgentCaller.Frame> replay = caller.follow(thread, "long");
        assertThat(seen).hasSize(5).allMatch(replay::equals);
        assertThat(AgentCaller.texts(replay).values()).containsExactly("You said: " + "one two three ".repeat(300));
    }
}
