package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The events of finished runs are compacted some time after their end, and removed much later. */
class FinishedRunsTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final String thread = UUID.randomUUID().toString();

    @Test
    void finishedRunsAreCompactedThenExpiredAndReadTheSame() {
        try (RunningServer server = RunningServer.start()) {
            AgentCaller caller = AgentCaller.somebody(server);
            List<String> runs = List.of("first", "second", "third");
            for (String run : runs) {
                caller.start(thread, run, "/slow 20");
                caller.follow(thread, run);
            }
            server.execute("update runs set ended_at = now() - interval '3 minutes' where run_id <> 'third'");
            await().atMost(LIMIT).until(() -> stored(server).equals(List.of("1", "1", "0")));
            for (String run : runs) {
                assertThat(AgentCaller.texts(caller.follow(thread, run)).values())
                        .singleElement()
                        .asString()
                        .startsWith("1 2 3 ")
                        .endsWith(" 20.");
            }
            server.execute("update runs set ended_at = now() - interval '31 days' where run_id = 'first'");
            await().atMost(LIMIT).until(() -> stored(server).equals(List.of("2", "1", "0")));
            assertThat(server.count("select count(*) from events e join runs r on r.task_id = e.run"
                            + " where r.run_id = 'first'"))
                    .isZero();
            assertThat(caller.messages(thread)).hasSize(2 * runs.size());
        }
    }

    @Test
    void aShortRunIsLeftAsItIs() {
        try (RunningServer server = RunningServer.start()) {
            AgentCaller caller = AgentCaller.somebody(server);
            caller.start(thread, "short", "Hello");
            caller.follow(thread, "short");
            assertThat(stored(server)).containsExactly("1");
        }
    }

    private static List<String> stored(RunningServer server) {
        return server.select("select stored::text from runs order by created_position");
    }
}
