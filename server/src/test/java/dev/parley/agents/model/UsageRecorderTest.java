package dev.parley.agents.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.agents.ModelRequests;
import dev.parley.agents.RunName;
import dev.parley.assembly.ContextMessage;
import dev.parley.basics.Backoff;
import dev.parley.protocol.agent.UpstreamFailure;
import dev.parley.testing.CapturedLog;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UsageRecorderTest {
    private static final RunName RUN = new RunName("run_7", UUID.randomUUID());
    private static final ModelRequests.Usage USAGE =
            new ModelRequests.Usage(1_234, 56, null, null, new BigDecimal("0.5"), "USD");

    /** A request whose usage fails to be stored the first {@code times} times. */
    private record Failing(int times, AtomicInteger tried, List<String> made) implements ModelRequests.Request {
        @Override
        public int number() {
            return 3;
        }

        @Override
        public List<ContextMessage> messages() {
            return List.of();
        }

        @Override
        public void sent(byte[] body) {}

        @Override
        public void failed(UpstreamFailure failure) {}

        @Override
        public void used(ModelRequests.Usage usage, @Nullable String messageId) {
            made.add(String.valueOf(messageId));
            if (tried.incrementAndGet() <= times) {
                throw new IllegalStateException("The database is away.");
            }
        }
    }

    private static void assertTried(int failures, int tried) {
        Failing request = new Failing(failures, new AtomicInteger(), new CopyOnWriteArrayList<>());
        try (CapturedLog log = new CapturedLog(UsageRecorder.class.getName())) {
            new UsageRecorder(3, Backoff.doubling(Duration.ofMillis(1), Duration.ofMillis(2)))
                    .store(RUN, request, USAGE, "m1");
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> request.tried().get() == tried && log.lines().size() == Math.min(failures, tried));
            assertThat(request.made()).hasSize(tried).containsOnly("m1");
            assertThat(log.lines()).allMatch(line -> line.contains(RUN.toString()) && line.contains("1234 tokens in"));
        }
    }

    @Test
    void usageIsStoredByALaterAttempt() {
        assertTried(0, 1);
        assertTried(2, 3);
    }

    @Test
    void usageThatCannotBeStoredIsLogged() {
        assertTried(3, 3);
        assertTried(9, 3);
    }

    @Test
    void sumsOfTokensEndAtTheLargestNumber() {
        assertThat(TokenCounts.sum(Integer.MAX_VALUE - 1, 1)).isEqualTo(Integer.MAX_VALUE);
        assertThat(TokenCounts.sum(Integer.MAX_VALUE, Integer.MAX_VALUE)).isEqualTo(Integer.MAX_VALUE);
        assertThat(TokenCounts.sum(2, null)).isEqualTo(2);
    }
}
