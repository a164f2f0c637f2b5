package dev.parley.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LeakCheckTest {
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @Test
    void virtualAndPlatformThreadsAreFoundUntilTheyEnd() {
        for (Thread.Builder builder : new Thread.Builder[] {Thread.ofVirtual(), Thread.ofPlatform()}) {
            LeakCheck check = LeakCheck.begin();
            CountDownLatch end = new CountDownLatch(1);
            builder.name("the-leak").start(() -> await(end));
            assertThatThrownBy(() -> check.assertNothingLeft(SHORT))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("the-leak");
            end.countDown();
            check.assertNothingLeft(LIMIT);
        }
    }

    @Test
    void earlierAndOtherThreadsAreNoLeaks() {
        CountDownLatch end = new CountDownLatch(1);
        Thread.ofVirtual().name("old").start(() -> await(end));
        LeakCheck check = LeakCheck.begin(name -> name.startsWith("mine"));
        Thread.ofVirtual().name("other").start(() -> await(end));
        check.assertNothingLeft(LIMIT);
        end.countDown();
    }

    @Test
    void childProcessesAreFound() throws IOException {
        LeakCheck check = LeakCheck.begin();
        Process child = new ProcessBuilder("sleep", "1000").start();
        try {
            assertThatThrownBy(() -> check.assertNothingLeft(SHORT)).hasMessageContaining("process " + child.pid());
        } finally {
            child.destroyForcibly();
        }
        check.assertNothingLeft(LIMIT);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
