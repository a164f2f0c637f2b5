package dev.parley.streaming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.log.Event;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class WatchTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static final ThreadId THREAD = ThreadId.fresh();

    private final Watch watch = new Watch();
    private final List<Long> positions = new CopyOnWriteArrayList<>();

    private void awaitHeard(long position) {
        await().atMost(LIMIT).until(() -> !positions.isEmpty() && positions.getLast() == position);
    }

    @Test
    void aFailingWatcherMissesNoNewsAndHurtsNoOther() {
        AtomicInteger failures = new AtomicInteger();
        watch.add((position, events) -> {
            failures.incrementAndGet();
            throw new IllegalStateException("cannot");
        });
        watch.add((position, events) -> positions.add(position));
        watch.wake(1, List.of());
        awaitHeard(1);
        watch.wake(2, List.of());
        awaitHeard(2);
        await().atMost(LIMIT).until(() -> failures.get() == 2);
    }

    @Test
    void knownNewsIsRepeatedOnlyForNewOrFailedWatchers() {
        watch.add((position, events) -> positions.add(position));
        watch.wake(5, List.of());
        awaitHeard(5);
        watch.wake(5, List.of());
        watch.wake(4, List.of());
        watch.wake(6, List.of());
        awaitHeard(6);
        assertThat(positions).containsExactly(5L, 6L);
        List<Long> newcomer = new CopyOnWriteArrayList<>();
        AtomicInteger failures = new AtomicInteger();
        watch.add((position, events) -> {
            if (failures.incrementAndGet() == 1) {
                throw new IllegalStateException("cannot");
            }
            newcomer.add(position);
        });
        watch.wake(6, List.of());
        await().atMost(LIMIT).until(() -> failures.get() == 1);
        await().atMost(LIMIT).until(() -> {
            watch.wake(6, List.of());
            return !newcomer.isEmpty();
        });
        assertThat(newcomer.getFirst()).isEqualTo(6L);
    }

    @Test
    void newsComesOneAtATimeAndInOrder() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        watch.add((position, events) -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            positions.add(position);
            inside.decrementAndGet();
        });
        for (long position = 1; position <= 1_000; position++) {
            watch.wake(position, List.of());
        }
        awaitHeard(1_000);
        assertThat(most).hasValue(1);
        assertThat(positions).isSorted();
        assertThat(LongStream.rangeClosed(1, 1_000).boxed()).containsAll(positions);
    }

    @Test
    void aLateHintDoesNotHideAFartherOne() throws Exception {
        CyclicBarrier busy = new CyclicBarrier(2);
        watch.add((position, events) -> {
            if (position == 1) {
                meet(busy);
                meet(busy);
            } else {
                positions.add(position);
            }
        });
        watch.wake(1, List.of());
        meet(busy);
        watch.wake(10, List.of());
        watch.wake(5, List.of());
        meet(busy);
        await().atMost(LIMIT).until(() -> !positions.isEmpty());
        assertThat(positions).contains(10L);
    }

    @Test
    void pendingNewsIsReplacedByAHintBeforeItIsTooLarge() throws Exception {
        CyclicBarrier busy = new CyclicBarrier(2);
        AtomicInteger text = new AtomicInteger();
        watch.add((position, events) -> {
            if (position == 1) {
                meet(busy);
                meet(busy);
            } else {
                events.forEach(event ->
                        text.addAndGet(((Event.Announced) event).payload().length()));
                positions.add(position);
            }
        });
        watch.wake(1, List.of());
        meet(busy);
        for (long position = 2; position <= 6; position++) {
            watch.wake(position, List.of(large(position)));
        }
        meet(busy);
        awaitHeard(6);
        assertThat(text.get()).isBetween(1, 1024 * 1024);
    }

    private static Event large(long position) {
        return new Event.Announced(
                THREAD,
                position,
                1,
                Instant.EPOCH,
                "thread_updated",
                Actor.user(UUID.randomUUID()),
                "x".repeat(400_000),
                UUID.randomUUID());
    }

    @Test
    void aWatcherThatLeftGetsNoNewsAndTheLastOneIsRecognised() throws Exception {
        CountDownLatch notified = new CountDownLatch(1);
        Watches.Watcher leaving = (position, events) -> positions.add(position);
        Watches.Watcher staying = (position, events) -> notified.countDown();
        watch.add(leaving);
        watch.add(staying);
        assertThat(watch.remove(leaving)).isFalse();
        watch.wake(1, List.of());
        assertThat(notified.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(positions).isEmpty();
        assertThat(watch.remove(staying)).isTrue();
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }
}
