package dev.parley.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.sdk.SseFrame;
import dev.parley.testing.Api;
import dev.parley.testing.Nodes;
import dev.parley.testing.StreamTap;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Nodes are stopped and started one after the other; no viewer of a thread misses an event or sees it twice. */
class RollingRestartTest {
    private static final String[] FLAGS = {"--rate-limits", "off", "--shutdown-grace", "2s"};

    private final Talker ada = Talker.somebody("Ada");
    private final Talker ben = Talker.somebody("بن");

    /** A viewer at a balancer. When its stream ends, it continues after the last id on the next node. */
    private static final class Viewer {
        private final List<String> ids = new ArrayList<>();
        private String last = "0";

        void take(StreamTap tap) {
            tap.frames().stream().filter(SseFrame::hasId).forEach(frame -> {
                ids.add(frame.lastEventId());
                last = frame.lastEventId();
            });
        }
    }

    @Test
    void aViewerGoesOnElsewhereWithoutGapOrRepeat() {
        try (Nodes nodes = Nodes.onFreshDatabase()) {
            AtomicReference<Nodes.Node> serving = new AtomicReference<>(nodes.start(FLAGS));
            String thread = ada.newThread(serving.get(), ben);
            AtomicBoolean done = new AtomicBoolean();
            AtomicInteger posted = new AtomicInteger();
            CompletableFuture<Void> talking = CompletableFuture.runAsync(() -> {
                while (!done.get()) {
                    say(serving, thread, posted.get());
                    posted.incrementAndGet();
                }
            });
            Viewer viewer = new Viewer();
            for (int restart = 0; restart < 3; restart++) {
                Nodes.Node old = serving.get();
                Nodes.Node next = nodes.start(FLAGS);
                try (StreamTap tap = ben.follow(old, thread, viewer.last)) {
                    await().atMost(Talker.LIMIT).until(() -> tap.frames().size() > 5);
                    serving.set(next);
                    old.close();
                    await().atMost(Talker.LIMIT).until(tap::ended);
                    viewer.take(tap);
                }
            }
            done.set(true);
            talking.join();
            try (StreamTap tap = ben.follow(serving.get(), thread, viewer.last)) {
                await().atMost(Talker.LIMIT)
                        .until(() -> tap.frames().stream()
                                .anyMatch(frame -> frame.data().contains("\"message " + (posted.get() - 1) + "\"")));
                viewer.take(tap);
            }
            List<String> committed = nodes.select("select case when kind = 0 then seq::text else 'event' end"
                    + " from entries where thread_id = '" + thread + "' order by seq");
            assertThat(committed).hasSize(posted.get());
            assertThat(viewer.ids.stream().filter(id -> !id.contains("-")).toList())
                    .isEqualTo(committed);
            assertThat(viewer.ids).doesNotHaveDuplicates();
        }
    }

    /** Retries an unanswered post with the same key, on the node that the balancer chooses. */
    private void say(AtomicReference<Nodes.Node> serving, String thread, int number) {
        await().atMost(Talker.LIMIT).ignoreExceptions().until(() -> {
            Api.Reply reply = ada.post(serving.get(), thread, "key-" + number, "message " + number);
            return reply.status() < 300;
        });
    }

    @Test
    void aStoppingNodeIsNotReadyAndServesItsClients() {
        try (Nodes nodes = Nodes.onFreshDatabase()) {
            // Longer than any step here: the run keeps the node up until the run is cancelled.
            Nodes.Node old = nodes.start("--shutdown-grace", "2m");
            String thread = UUID.randomUUID().toString();
            assertThat(new Api(old.uri(), null).get("/health/ready").status()).isEqualTo(200);
            ada.startRun(old, thread, "long", "/slow 6000");
            try (StreamTap tap = ada.followRun(old, thread, "long", "")) {
                await().atMost(Talker.LIMIT)
                        .until(() -> !tap.frames("TEXT_MESSAGE_CONTENT").isEmpty());
                Nodes.Node other = nodes.start(FLAGS);
                CompletableFuture<Void> stopping = CompletableFuture.runAsync(old::close);
                await().atMost(Talker.LIMIT).until(() -> nodes.count("select count(*) from nodes where stopping") == 1);
                Api.Reply ready = new Api(old.uri(), null).get("/health/ready");
                assertThat(ready.problem()).contains("shutting-down");
                assertThat(ready.json().at("/checks/node").asString()).isEqualTo("stopping");
                assertThat(new Api(old.uri(), null).get("/health").status()).isEqualTo(200);
                assertThat(stopping).isNotDone();
                Talker.must(ada.on(old).post("/api/v1/agent/threads/" + thread + "/runs/long/cancel", "{}"));
                await().atMost(Talker.LIMIT).until(stopping::isDone);
                stopping.join();
                await().atMost(Talker.LIMIT).until(tap::ended);
                assertThat(ada.run(other, thread, "long").path("state").asString())
                        .isEqualTo("cancelled");
            }
        }
    }

    @Test
    void runsThatANodeCannotFinishInTimeEndVisibly() {
        try (Nodes nodes = Nodes.onFreshDatabase()) {
            Nodes.Node old = nodes.start("--shutdown-grace", "1s");
            String thread = UUID.randomUUID().toString();
            ada.startRun(old, thread, "long", "/slow 6000");
            try (StreamTap tap = ada.followRun(old, thread, "long", "")) {
                await().atMost(Talker.LIMIT)
                        .until(() -> !tap.frames("TEXT_MESSAGE_CONTENT").isEmpty());
                Nodes.Node other = nodes.start(FLAGS);
                old.close();
                await().atMost(Talker.LIMIT).until(tap::ended);
                assertThat(tap.frames().getLast().event()).isEqualTo("RUN_ERROR");
                assertThat(ada.run(other, thread, "long").at("/error/code").asString())
                        .isEqualTo("interrupted");
                assertThat(nodes.count("select count(*) from nodes")).isOne();
                assertThat(ada.startRun(other, thread, "next", "hello").status())
                        .isEqualTo(202);
                ada.awaitState(other, thread, "next", "completed");
            }
        }
    }

    @Test
    void aRunThatIsFollowedGoesOnElsewhere() {
        try (Nodes nodes = Nodes.onFreshDatabase()) {
            String thread = UUID.randomUUID().toString();
            Nodes.Node executing = nodes.start(FLAGS);
            ada.startRun(executing, thread, "run", "/slow 150");
            ada.awaitState(executing, thread, "run", "running");
            // Has no work to finish, and can stop while the run goes on.
            Nodes.Node idle = nodes.start(FLAGS);
            List<SseFrame> frames = new ArrayList<>();
            try (StreamTap tap = ada.followRun(idle, thread, "run", "")) {
                await().atMost(Talker.LIMIT)
                        .until(() -> tap.frames("TEXT_MESSAGE_CONTENT").size() > 2);
                idle.close();
                await().atMost(Talker.LIMIT).until(tap::ended);
                frames.addAll(tap.frames());
            }
            String last =
                    frames.stream().filter(SseFrame::hasId).toList().getLast().lastEventId();
            try (StreamTap tap = ada.followRun(executing, thread, "run", last)) {
                await().atMost(Talker.LIMIT).until(tap::ended);
                frames.addAll(tap.frames());
            }
            List<String> resumed = ids(frames);
            try (StreamTap whole = ada.followRun(executing, thread, "run", "")) {
                await().atMost(Talker.LIMIT).until(whole::ended);
                assertThat(resumed).isEqualTo(ids(whole.frames()));
            }
            assertThat(frames.getLast().event()).isEqualTo("RUN_FINISHED");
        }
    }

    private static List<String> ids(List<SseFrame> frames) {
        return frames.stream()
                .filter(SseFrame::hasId)
                .map(SseFrame::lastEventId)
                .toList();
    }
}
