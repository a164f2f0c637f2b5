package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.testing.Api;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run that is cancelled on another node than the one that executes it. */
class CancelElsewhereTest {
    private static final Duration LIMIT = Duration.ofSeconds(40);

    /** Nodes with different carriers do not receive each other's notifications. */
    @ParameterizedTest
    @CsvSource({"postgres, postgres", "postgres, local"})
    void itsAgentIsStoppedThoughItSaysNothing(String oneCarrier, String otherCarrier) {
        String operator = RemoteFixture.OPERATOR.toString();
        try (RunningServer one =
                        RunningServer.start("--rate-limits", "off", "--operators", operator, "--wakeups", oneCarrier);
                RunningServer other =
                        one.beside("--rate-limits", "off", "--operators", operator, "--wakeups", otherCarrier);
                RemoteFixture far = RemoteFixture.register(one, Map.of())) {
            AtomicBoolean asked = new AtomicBoolean();
            AtomicBoolean hungUp = new AtomicBoolean();
            far.remote().then((request, answer) -> {
                answer.start(request);
                asked.set(true);
                hungUp.set(answer.awaitHangUp());
            });
            far.start(far.input("r", "Hi"));
            await().atMost(LIMIT).untilTrue(asked);
            Api caller = new Api(
                    (isExecutedBy(one, other) ? other : one).uri(),
                    far.caller().api().credential());
            Api.Reply cancelled = caller.post("/api/v1/agent/threads/" + far.thread() + "/runs/r/cancel", "{}");
            assertThat(cancelled.status()).as(cancelled.toString()).isEqualTo(200);
            await().atMost(LIMIT).untilTrue(hungUp);
            assertThat(far.caller().run(far.thread(), "r").get("state").asString())
                    .isEqualTo("cancelled");
        }
    }

    /** The node that started first is the first of two. */
    private static boolean isExecutedBy(RunningServer one, RunningServer other) {
        UUID executing = UUID.fromString(one.select("select node from runs").getFirst());
        UUID first = UUID.fromString(other.select("select node_id from nodes order by started_at limit 1")
                .getFirst());
        return executing.equals(first);
    }
}
