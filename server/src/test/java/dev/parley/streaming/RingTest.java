package dev.parley.streaming;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.http.Frames;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RingTest {
    private static final int SIZE = frame(0).size();

    private @Nullable RingBudget budget;

    private static Frames frame(long position) {
        return Frames.event(null, null, "%06d".formatted(position));
    }

    private Ring ring(long start, long maxFrames, long maxTotalFrames) {
        if (budget == null) {
            budget = new RingBudget(maxFrames * SIZE, maxTotalFrames * SIZE);
        }
        return new Ring(start, budget);
    }

    private long used() {
        return budget == null ? 0 : budget.used();
    }

    private static void fill(Ring ring, long from, long to) {
        for (long position = from; position <= to; position++) {
            ring.add(position, position, frame(position));
        }
    }

    private static String text(Ring ring, long after) {
        return ring.after(after).orElseThrow().frames().toString();
    }

    private static String frames(long from, long to) {
        StringBuilder text = new StringBuilder();
        for (long position = from; position <= to; position++) {
            text.append(frame(position));
        }
        return text.toString();
    }

    @Test
    void aStretchIsEverythingAfterAPositionInOrder() {
        Ring ring = ring(10, 100, 100);
        assertThat(ring.after(10).orElseThrow().frames().size()).isZero();
        fill(ring, 11, 15);
        assertThat(text(ring, 10)).isEqualTo(frames(11, 15));
        assertThat(text(ring, 13)).isEqualTo(frames(14, 15));
        assertThat(text(ring, 15)).isEmpty();
        assertThat(ring.after(13).orElseThrow().to()).isEqualTo(15);
        assertThat(ring.after(9)).as("from before the ring began").isEmpty();
    }

    @Test
    void theOldestFramesGoWhenTheRingIsFull() {
        Ring ring = ring(0, 3, 100);
        fill(ring, 1, 3);
        assertThat(text(ring, 0)).isEqualTo(frames(1, 3));
        fill(ring, 4, 5);
        assertThat(ring.after(0)).isEmpty();
        assertThat(ring.after(1)).isEmpty();
        assertThat(text(ring, 2)).isEqualTo(frames(3, 5));
        assertThat(used()).isEqualTo(3L * SIZE);
    }

    @Test
    void aFrameLargerThanTheRingIsNotHeldButItsPositionIsKnown() {
        Ring ring = new Ring(0, new RingBudget(SIZE - 1, SIZE - 1));
        ring.add(1, 1, frame(1));
        assertThat(ring.filledTo()).isEqualTo(1);
        assertThat(ring.after(0)).isEmpty();
        assertThat(text(ring, 1)).isEmpty();
        assertThat(used()).isEqualTo(0);
    }

    @Test
    void allRingsTogetherKeepTheTotalAndEachItsNewest() {
        List<Ring> rings = IntStream.range(0, 6).mapToObj(i -> ring(0, 3, 8)).toList();
        for (long position = 1; position <= 10; position++) {
            for (Ring ring : rings) {
                fill(ring, position, position);
                assertThat(used()).isLessThanOrEqualTo(8L * SIZE);
            }
        }
        assertThat(rings).allSatisfy(ring -> assertThat(text(ring, 9)).isEqualTo(frames(10, 10)));
        Ring.Stretch none = rings.getFirst().after(10).orElseThrow();
        assertThat(none.frames().size()).isZero();

        rings.subList(1, 6).forEach(Ring::clear);
        fill(rings.getFirst(), 11, 12);
        assertThat(text(rings.getFirst(), 9)).isEqualTo(frames(10, 12));
    }

    @Test
    void aNewRingHasRoomBesideBusyOnes() {
        Ring first = ring(0, 50, 100);
        Ring second = ring(0, 50, 100);
        fill(first, 1, 200);
        fill(second, 1, 200);
        Ring fresh = ring(0, 50, 100);
        fill(fresh, 1, 10);
        assertThat(text(fresh, 0)).isEqualTo(frames(1, 10));
        fill(first, 201, 300);
        fill(second, 201, 300);
        assertThat(text(fresh, 0)).as("frames of other rings stay").isEqualTo(frames(1, 10));
        assertThat(text(first, 290)).isEqualTo(frames(291, 300));
        assertThat(text(second, 290)).isEqualTo(frames(291, 300));
    }

    @Test
    void readersAtTheSamePositionShareOneBuffer() {
        Ring ring = ring(0, 10, 10);
        fill(ring, 1, 3);
        Ring.Stretch first = ring.after(1).orElseThrow();
        assertThat(ring.after(1).orElseThrow()).isSameAs(first);
        assertThat(ring.after(2).orElseThrow()).isNotSameAs(first);
        fill(ring, 4, 4);
        assertThat(text(ring, 1)).as("no stale buffer").isEqualTo(frames(2, 4));
        assertThat(first.frames()).as("a stretch in use stays unchanged").hasToString(frames(2, 3));
    }

    @Test
    void aClearedRingGivesItsBytesBackAndTakesNoMore() {
        Ring ring = ring(0, 10, 10);
        fill(ring, 1, 5);
        ring.clear();
        assertThat(used()).isEqualTo(0);
        // A wake-up that was in transit when the last reader left.
        fill(ring, 6, 7);
        assertThat(used()).as("bytes that would never be released").isEqualTo(0);
        assertThat(ring.after(5)).isEmpty();
    }

    @Test
    void aReaderInTheMiddleOfASlotReadsTheLog() {
        Ring ring = new Ring(0, new RingBudget(1_000, 10_000));
        ring.add(1, 3, frame(3));
        ring.add(4, 4, frame(4));
        assertThat(ring.after(0)).isPresent();
        assertThat(ring.after(1)).isEmpty();
        assertThat(ring.after(2)).isEmpty();
        assertThat(ring.after(3)).map(Ring.Stretch::to).contains(4L);
    }
}
