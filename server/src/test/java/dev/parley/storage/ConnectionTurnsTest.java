package dev.parley.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.limits.ActingCaller;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConnectionTurnsTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final ConnectionTurns turns = new ConnectionTurns(1);
    private final List<String> served = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    /** Waits for a turn in a separate thread, which is in the queue when this method returns. */
    private void queue(@Nullable String caller, String name) {
        int before = turns.waiting();
        threads.add(Thread.startVirtualThread(() -> {
            if (caller == null) {
                serve(name);
            } else {
                ActingCaller.call(caller, () -> serve(name));
            }
        }));
        await().atMost(LONG).until(() -> turns.waiting() == before + 1);
    }

    private boolean serve(String name) {
        try {
            if (turns.take(LONG)) {
                served.add(name);
                turns.giveBack();
            }
        } catch (InterruptedException interrupted) {
            served.add(name + " interrupted");
        }
        return true;
    }

    private void join() throws InterruptedException {
        for (Thread thread : threads) {
            assertThat(thread.join(LONG)).isTrue();
        }
    }

    @Test
    void greedyCallerKeepsOthersWaitingForOneTurn() throws Exception {
        assertThat(turns.take(LONG)).isTrue();
        for (int i = 1; i <= 20; i++) {
            queue("greedy", "greedy " + i);
        }
        queue("other", "other");
        queue(null, "server");
        turns.giveBack();
        join();
        assertThat(served)
                .startsWith("greedy 1", "other", "server", "greedy 2", "greedy 3")
                .hasSize(22);
        assertThat(turns.inUse()).isZero();
    }

    @Test
    void threadsOfTheServerGetTurnsInOrder() throws Exception {
        assertThat(turns.take(LONG)).isTrue();
        for (String name : List.of("first", "second", "third")) {
            queue(null, name);
        }
        turns.giveBack();
        join();
        assertThat(served).containsExactly("first", "second", "third");
    }

    @Test
    void callerWithoutATurnInTimeTakesNoConnection() throws Exception {
        assertThat(turns.take(LONG)).isTrue();
        assertThat(turns.take(Duration.ofMillis(1))).isFalse();
        assertThat(turns.waiting()).isZero();
        assertThat(turns.awaitAllFree(Duration.ofMillis(1))).isFalse();
        turns.giveBack();
        assertThat(turns.awaitAllFree(LONG)).isTrue();
    }

    @Test
    void interruptedThreadTakesNoConnection() throws Exception {
        assertThat(turns.take(LONG)).isTrue();
        queue("caller", "caller");
        threads.getFirst().interrupt();
        join();
        assertThat(served).containsExactly("caller interrupted");
        assertThat(turns.waiting()).isZero();
        turns.giveBack();
        assertThat(turns.inUse()).isZero();
    }

    @Test
    void closingReleasesAllWaiters() throws Exception {
        assertThat(turns.take(LONG)).isTrue();
        queue("caller", "caller");
        queue(null, "server");
        turns.close();
        join();
        assertThat(served).containsExactlyInAnyOrder("caller", "server");
        assertThat(turns.take(LONG)).isTrue();
    }
}
