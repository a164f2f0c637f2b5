package dev.parley.wakeups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.ThreadId;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of carriers with a server in between, which may be away. */
abstract class ServedWakeupsContract extends WakeupsContract {
    /** Ends all connections, and refuses new ones. */
    abstract void takeAway() throws Exception;

    abstract void bringBack() throws Exception;

    /** Leaves all connections open, and answers nothing. */
    abstract void pause() throws Exception;

    abstract void resume() throws Exception;

    /** The number of connections that the server has from the nodes. */
    abstract int connections() throws Exception;

    @Test
    void hintsArriveAgainAfterTheServerWasAway() throws Exception {
        List<TestNode> two = nodes(2);
        takeAway();
        await().atMost(LIMIT)
                .until(() -> two.stream().allMatch(each -> each.bus().isLate()));
        two.getFirst().send(ThreadId.fresh(), 1);
        bringBack();
        await().atMost(LIMIT)
                .until(() -> two.stream().noneMatch(each -> each.bus().isLate()));
        awaitUntilReceived(two.getFirst(), two.get(1));
        awaitUntilReceived(two.get(1), two.getFirst());
    }

    @Test
    void hintsArriveAgainAfterTheServerWasStuck() throws Exception {
        List<TestNode> two = nodes(2);
        pause();
        try {
            await().atMost(LIMIT)
                    .until(() -> two.stream().allMatch(each -> each.bus().isLate()));
            assertThat(two.getFirst().bus().lag())
                    .hasValueSatisfying(lag -> assertThat(lag).isGreaterThan(Pulse.LATE.dividedBy(2)));
        } finally {
            resume();
        }
        awaitUntilReceived(two.getFirst(), two.get(1));
        awaitUntilReceived(two.get(1), two.getFirst());
        await().atMost(LIMIT)
                .until(() -> two.stream().noneMatch(each -> each.bus().isLate()));
    }

    @Test
    void aBurstIntoAStuckServerIsHeldWithinBounds() throws Exception {
        List<TestNode> two = nodes(2);
        pause();
        try {
            for (int load = 0; load < 50; load++) {
                two.getFirst()
                        .bus()
                        .send(IntStream.range(0, 1_000)
                                .mapToObj(each -> Hint.of(ThreadId.fresh(), 1))
                                .toList());
            }
            assertThat(two.getFirst().bus().waiting()).isLessThanOrEqualTo(Outbox.MAX_THREADS);
            await().atMost(LIMIT).until(() -> two.getFirst().counted("parley.wakeups.dropped") > 0);
        } finally {
            resume();
        }
        awaitUntilReceived(two.getFirst(), two.get(1));
    }

    @Test
    void aNodeThatStartsWithoutTheServerFindsItLater() throws Exception {
        takeAway();
        TestNode early = node();
        await().atMost(LIMIT).until(() -> early.bus().isLate());
        bringBack();
        TestNode later = node();
        await().atMost(LIMIT)
                .until(() -> early.bus().peers() == 1 && later.bus().peers() == 1);
        awaitUntilReceived(early, later);
    }

    @Test
    void closingGivesItsConnectionsBack() throws Exception {
        TestNode node = node();
        await().atMost(LIMIT).until(() -> node.pulses() >= 1);
        assertThat(connections()).isEqualTo(2);
        node.close();
        await().atMost(LIMIT).until(() -> connections() == 0);
    }

    /** Sends until a hint arrives, since hints may be lost while a server comes back. */
    static void awaitUntilReceived(TestNode from, TestNode to) {
        ThreadId thread = ThreadId.fresh();
        await().atMost(LIMIT).until(() -> {
            from.send(thread, 1);
            return to.received(thread).isPresent();
        });
    }
}
