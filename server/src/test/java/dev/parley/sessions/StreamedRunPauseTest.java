package dev.parley.sessions;

import static dev.parley.sessions.AgnoEvents.content;
import static dev.parley.sessions.AgnoEvents.event;
import static dev.parley.sessions.AgnoEvents.tool;
import static dev.parley.sessions.StreamedSession.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import dev.parley.testing.StreamTap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Streamed runs that are stopped, cancelled or paused, and resumed by their next event. */
class StreamedRunPauseTest {
    @AutoClose
    private static final RunningServer server = RunningServer.start("--rate-limits", "off");

    private final StreamedSession session = StreamedSession.fresh(server);

    @Test
    void stoppedRunTakesNoMoreEvents() {
        AgnoStreamer one = session.run("r1").say(content("r1", "half"));
        AgnoStreamer two = session.run("r2").say(content("r2", "other"));
        assertThat(session.stop(Map.of("run_id", "r1")).toString())
                .isEqualTo("{\"status\":\"accepted\",\"stopped\":[\"r1\"]}");
        JsonNode told = one.unheard(content("r1", "more")).body();
        assertThat(told.get("stop").asBoolean()).isTrue();
        assertThat(session.stop(Map.of("run_id", "r1")).get("status").asString())
                .isEqualTo("finished");
        assertThat(session.stop(Map.of("run_id", "never")).get("status").asString())
                .isEqualTo("unknown");
        assertThat(session.stop(Map.of()).toString()).isEqualTo("{\"status\":\"accepted\",\"stopped\":[\"r2\"]}");
        assertThat(two.unheard().body().get("stop").asBoolean()).isTrue();
        assertThat(session.stop(Map.of()).toString()).isEqualTo("{\"status\":\"finished\",\"stopped\":[]}");
        assertThat(session.contents()).containsExactly("half", "other");
        assertThat(session.messages())
                .allSatisfy(each ->
                        assertThat(each.at("/metadata/partial").asBoolean()).isTrue());
    }

    @Test
    void cancelledRunStaysCancelled() {
        AgnoStreamer run = session.run("r1").say(content("r1", "half"));
        assertThat(run.unheard(event("RunCancelled", "r1", "reason", "user asked"))
                        .body()
                        .get("stop")
                        .asBoolean())
                .isTrue();
        run.post(1, 2, List.of(event("RunCompleted", "r1", "content", "half", "metrics", Map.of("input_tokens", 9))));
        assertThat(session.state("r1")).isEqualTo("cancelled");
        assertThat(session.contents()).containsExactly("half");
        assertThat(session.usage()).isEmpty();
    }

    @Test
    void pausedRunWaitsUntilItIsContinued() {
        AgnoStreamer run = session.run("r1").say(content("r1", "May I? "));
        Map<String, Object> pause = event(
                "RunPaused",
                "r1",
                "tools",
                List.of(tool("c1", "send", Map.of(), null, false)),
                "requirements",
                List.of());
        try (StreamTap tap = session.watch("r1")) {
            // The answer is lost, so the driver repeats the pause under the epoch that it knows.
            assertThat(run.unheard(pause).status()).isEqualTo(200);
            ChatCaller.Reply again = run.unheard(pause);
            assertThat(again.status()).as(again.toString()).isEqualTo(200);
            run.say(pause);
            assertThat(session.state("r1")).isEqualTo("waiting");
            await().atMost(LIMIT).until(() -> tap.frames().getLast().data().contains("\"RunPaused\""));
            run.say();
            assertThat(session.state("r1")).as("a heartbeat resumes no run").isEqualTo("waiting");
            assertThat(server.count("select count(*) from runs where lease_until is not null and run_id = 'r1'"
                            + " and thread_id = '" + session.id() + "'"))
                    .isZero();
            Map<String, Object> goOn = event("RunContinued", "r1");
            assertThat(run.unheard(goOn).status()).isEqualTo(200);
            run.say(goOn);
            assertThat(session.state("r1")).isEqualTo("running");
            run.say(content("r1", "Thanks."), event("RunPaused", "r1"));
            assertThat(session.state("r1")).isEqualTo("waiting");
            run.say(event("RunContinued", "r1"), event("RunPaused", "r1"));
            run.say(event("RunContinued", "r1"), event("RunCompleted", "r1"));
            await().atMost(LIMIT).until(tap::ended);
        }
        assertThat(session.state("r1")).isEqualTo("completed");
        assertThat(session.contents()).containsExactly("May I? Thanks.");
    }

    /** A pause holds until the next event, in the same post or a day later. */
    @Test
    void eventAfterAPauseResumesTheRun() {
        AgnoStreamer run =
                session.run("r1").say(content("r1", "May I? "), event("RunPaused", "r1"), event("RunContinued", "r1"));
        assertThat(session.state("r1")).isEqualTo("running");
        run.say(event("RunPaused", "r1"), content("r1", "I may. "));
        assertThat(session.state("r1")).isEqualTo("running");
        run.say(event("RunPaused", "r1"), event("RunCompleted", "r1"));
        assertThat(session.state("r1")).isEqualTo("completed");
        assertThat(session.contents()).containsExactly("May I? I may. ");
    }

    /** A waiting run is not silent and uses no run time, however long the decision takes. */
    @Test
    void waitingRunUsesNoRunTime() {
        AgnoStreamer waiting = session.run("waits").say(content("waits", "May I? "), event("RunPaused", "waits"));
        session.run("late").say(content("late", "on and on"));
        String old = "update runs set started_at = now() - interval '2 days' where thread_id = '" + session.id() + "'";
        server.execute(old);
        await().atMost(LIMIT).until(() -> session.state("late").equals("failed"));
        assertThat(session.state("waits")).isEqualTo("waiting");
        waiting.say(event("RunContinued", "waits"));
        session.run("late2").say(content("late2", "on and on"));
        server.execute(old + " and run_id = 'late2'");
        await().atMost(LIMIT).until(() -> session.state("late2").equals("failed"));
        waiting.say(event("RunCompleted", "waits"));
        assertThat(session.state("waits")).isEqualTo("completed");
    }

    @Test
    void waitingRunCanBeStopped() {
        AgnoStreamer run = session.run("r1").say(content("r1", "May I?"), event("RunPaused", "r1"));
        assertThat(session.stop(Map.of()).get("stopped").toString()).isEqualTo("[\"r1\"]");
        assertThat(run.unheard(event("RunContinued", "r1")).body().get("stop").asBoolean())
                .isTrue();
        assertThat(session.state("r1")).isEqualTo("cancelled");
    }
}
