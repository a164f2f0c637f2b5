package dev.parley.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The counters and gauges of runs and deliveries. */
class FiguresTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @Test
    void chartedMetricsExistFromTheStart() {
        try (RunningServer server = RunningServer.start()) {
            assertThat(List.of(
                            "parley_log_entries_total",
                            "parley_lane_queue",
                            "parley_runs{state=\"queued\"}",
                            "parley_runs{state=\"running\"}",
                            "parley_runs{state=\"waiting\"}",
                            "parley_runs_ended_total{state=\"completed\"}",
                            "parley_runs_ended_total{state=\"failed\"}",
                            "parley_runs_ended_total{state=\"cancelled\"}",
                            "parley_sse_open",
                            "parley_deliveries{state=\"waiting\"}",
                            "parley_deliveries{state=\"sending\"}",
                            "parley_deliveries{state=\"uncertain\"}",
                            "parley_deliveries{state=\"dead\"}",
                            "parley_deliveries_ended_total{state=\"sent\"}",
                            "parley_deliveries_ended_total{state=\"uncertain\"}",
                            "parley_deliveries_ended_total{state=\"dead\"}"))
                    .allSatisfy(name -> assertThat(server.metric(name)).isZero());
        }
    }

    @Test
    void runsAreCountedWhileTheyAreOpenAndAsTheyEnd() {
        try (RunningServer server = RunningServer.start("--rate-limits", "off")) {
            ChatCaller ada = ChatCaller.user(server, "Ada");
            String thread = UUID.randomUUID().toString();
            start(ada, thread, "slow", "/slow 2000");
            await().atMost(LIMIT).until(() -> server.metric("parley_runs{state=\"running\"}") == 1);
            start(ada, thread, "next", "hello");
            await().atMost(LIMIT).until(() -> server.metric("parley_runs{state=\"queued\"}") == 1);
            ada.post("/agent/threads/" + thread + "/runs/slow/cancel", Map.of());
            await().atMost(LIMIT)
                    .until(() -> server.metric("parley_runs_ended_total{state=\"completed\"}") == 1
                            && server.metric("parley_runs_ended_total{state=\"cancelled\"}") == 1
                            && server.metric("parley_runs{state=\"running\"}") == 0);
            assertThat(server.metric("parley_log_entries_total")).isGreaterThanOrEqualTo(3);
        }
    }

    private static void start(ChatCaller caller, String thread, String run, String text) {
        Map<String, Object> message = Map.of("id", "msg-" + run, "role", "user", "content", text);
        assertThat(caller.post("/agent/runs", Map.of("threadId", thread, "runId", run, "messages", List.of(message)))
                        .status())
                .isEqualTo(202);
    }
}
