package dev.parley.wakeups;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.ThreadId;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OutboxTest {
    private final Outbox outbox = new Outbox();

    @Test
    void hintsOfOneThreadBecomeOne() throws Exception {
        ThreadId thread = ThreadId.fresh();
        outbox.add(List.of(Hint.of(thread, 5, News.SAID), Hint.of(thread, 3, News.RUNS)));
        outbox.add(List.of(Hint.of(thread, 4)));
        assertThat(outbox.take(Duration.ZERO)).containsExactly(Hint.of(thread, 5, News.SAID, News.RUNS));
        assertThat(outbox.take(Duration.ZERO)).isEmpty();
    }

    @Test
    void fullOutboxTakesOnlyHintsOfItsThreads() throws Exception {
        List<Hint> many = IntStream.range(0, Outbox.MAX_THREADS)
                .mapToObj(each -> Hint.of(ThreadId.fresh(), 1))
                .toList();
        assertThat(outbox.add(many)).isZero();
        assertThat(outbox.add(List.of(
                        Hint.of(ThreadId.fresh(), 1), Hint.of(many.getFirst().thread(), 2))))
                .isEqualTo(1);
        assertThat(outbox.take(Duration.ZERO))
                .hasSize(Outbox.MAX_THREADS)
                .contains(Hint.of(many.getFirst().thread(), 2));
    }

    @Test
    void nudgeWakesAWaitingTake() throws Exception {
        outbox.nudge();
        assertThat(outbox.take(Duration.ofDays(1))).isEmpty();
    }
}
