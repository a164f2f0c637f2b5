package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofMillis(50);

    private static void assertRefused(MemoryBudget budget, String caller, long bytes) {
        assertThatThrownBy(() -> budget.reserve(caller, bytes))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problem()).isEqualTo(Problem.OVERLOADED));
    }

    private static Thread reserving(MemoryBudget budget, String caller, long bytes) {
        return Thread.ofVirtual().start(() -> {
            try {
                budget.reserve(caller, bytes);
            } catch (InterruptedException stopping) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Test
    void oneCallerAlone_reservesHalf() {
        MemoryBudget budget = new MemoryBudget(100, SHORT);
        assertThat(budget.tryReserve("ada", 50)).isTrue();
        assertThat(budget.tryReserve("ada", 1)).isFalse();
        assertRefused(budget, "ada", 1);
        assertThat(budget.refused()).isEqualTo(1);
    }

    @Test
    void eachFurtherCaller_reservesHalfOfWhatIsFree() {
        MemoryBudget budget = new MemoryBudget(128, SHORT);
        for (int bytes : new int[] {64, 32, 16, 8, 4, 2, 1}) {
            assertThat(budget.tryReserve("caller " + bytes, bytes + 1)).isFalse();
            assertThat(budget.tryReserve("caller " + bytes, bytes)).isTrue();
        }
        assertThat(budget.reserved()).isEqualTo(127);
    }

    @Test
    void release_grantsEveryWaitingRequestThatFits() throws InterruptedException {
        MemoryBudget budget = new MemoryBudget(100, LONG);
        assertThat(budget.tryReserve("ada", 50)).isTrue();
        Thread second = reserving(budget, "ada", 30);
        Thread third = reserving(budget, "ada", 20);
        await().atMost(LONG).until(() -> budget.waiting() == 2);
        budget.release("ada", 50);
        second.join(LONG);
        third.join(LONG);
        assertThat(budget.reserved()).isEqualTo(50);
        assertThat(budget.waiting()).isZero();
    }

    @Test
    void interruptedWait_leavesNothingReserved() throws InterruptedException {
        MemoryBudget budget = new MemoryBudget(100, LONG);
        assertThat(budget.tryReserve("ada", 50)).isTrue();
        Thread waiting = reserving(budget, "ada", 10);
        await().atMost(LONG).until(() -> budget.waiting() == 1);
        waiting.interrupt();
        waiting.join(LONG);
        assertThat(budget.waiting()).isZero();
        budget.release("ada", 50);
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void waitingRequests_areBounded() {
        MemoryBudget budget = new MemoryBudget(2, LONG);
        assertThat(budget.tryReserve("ada", 1)).isTrue();
        List<Thread> waiting = new ArrayList<>();
        for (int i = 0; i < MemoryBudget.MAX_WAITING; i++) {
            waiting.add(reserving(budget, "ada", 1));
        }
        await().atMost(LONG).until(() -> budget.waiting() == MemoryBudget.MAX_WAITING);
        assertRefused(budget, "ada", 1);
        waiting.forEach(Thread::interrupt);
        await().atMost(LONG).until(() -> budget.waiting() == 0);
    }

    @Test
    void manyCallersAtOnce_neverReserveMoreThanThereIs_andEndWithNothing() throws Exception {
        MemoryBudget budget = new MemoryBudget(1_000, LONG);
        AtomicInteger tooMuch = new AtomicInteger();
        List<Future<?>> callers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int caller = 0; caller < 20; caller++) {
                String name = "caller " + caller;
                Random random = new Random(caller);
                callers.add(threads.submit(() -> {
                    for (int i = 0; i < 200; i++) {
                        long bytes = 1L + random.nextInt(20);
                        budget.reserve(name, bytes);
                        if (budget.reserved() > 1_000) {
                            tooMuch.incrementAndGet();
                        }
                        LockSupport.parkNanos(1);
                        budget.release(name, bytes);
                    }
                    return null;
                }));
            }
        }
        for (Future<?> caller : callers) {
            caller.get();
        }
        assertThat(tooMuch).hasValue(0);
        assertThat(budget.reserved()).isZero();
    }
}
