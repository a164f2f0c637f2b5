package dev.parley.wakeups;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.ThreadId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The contract of every carrier of hints. */
abstract class WakeupsContract {
    static final Duration LIMIT = Duration.ofSeconds(40);

    private final List<TestNode> nodes = new ArrayList<>();

    /** The carrier of another node. */
    abstract Wakeups open();

    /** Sends a message that no node wrote. */
    abstract void sendForeign(String text) throws Exception;

    TestNode node() {
        TestNode node = new TestNode(open());
        nodes.add(node);
        return node;
    }

    /** Nodes that know of each other. */
    List<TestNode> nodes(int count) {
        List<TestNode> made = Stream.generate(this::node).limit(count).toList();
        await().atMost(LIMIT)
                .until(() -> made.stream().allMatch(each -> each.bus().peers() >= count - 1));
        return made;
    }

    @AfterEach
    void closeNodes() {
        nodes.forEach(TestNode::close);
    }

    static void awaitHint(TestNode node, ThreadId thread, long position) {
        await().atMost(LIMIT)
                .until(() -> node.received(thread)
                        .filter(hint -> hint.position() == position)
                        .isPresent());
    }

    @Test
    void aHintReachesEveryOtherNodeAndNotItsSender() {
        List<TestNode> three = nodes(3);
        ThreadId thread = ThreadId.fresh();
        three.getFirst().send(thread, 7, News.SAID, News.RUNS);
        awaitHint(three.get(1), thread, 7);
        awaitHint(three.get(2), thread, 7);
        Hint merged = three.get(1).received(thread).orElseThrow();
        assertThat(merged.tells(News.SAID)).isTrue();
        assertThat(merged.tells(News.RUNS)).isTrue();
        assertThat(merged.tells(News.WAITING_RUN)).isFalse();
        // An echo would have arrived before the answer.
        three.get(1).send(thread, 8);
        awaitHint(three.getFirst(), thread, 8);
        assertThat(three.getFirst().count()).isEqualTo(1);
    }

    @Test
    void hintsOfManyThreadsArrive() {
        List<TestNode> two = nodes(2);
        List<Hint> hints = IntStream.rangeClosed(1, 5_000)
                .mapToObj(each -> Hint.of(ThreadId.fresh(), each))
                .toList();
        two.getFirst().bus().send(hints);
        await().atMost(LIMIT).until(() -> two.get(1).threads().size() == hints.size());
        assertThat(hints).allMatch(hint -> two.get(1).received(hint.thread()).equals(Optional.of(hint)));
    }

    @Test
    void lastHintOfAMergedBurstArrives() {
        List<TestNode> two = nodes(2);
        ThreadId thread = ThreadId.fresh();
        int burst = 10_000;
        for (int i = 1; i <= burst; i++) {
            two.getFirst().send(thread, i, i == 1 ? News.RUNS : News.SAID);
        }
        awaitHint(two.get(1), thread, burst);
        assertThat(two.get(1).received(thread).orElseThrow().tells(News.RUNS)).isTrue();
        assertThat(two.getFirst().counted("parley.wakeups.dropped")).isZero();
        // Merged hints are not sent one by one.
        assertThat(two.get(1).count()).isLessThan(burst);
    }

    @Test
    void foreignMessagesAreIgnored() throws Exception {
        List<TestNode> two = nodes(2);
        String node = "0".repeat(32);
        for (String foreign : List.of(
                "hello",
                "parley1",
                "parley1 " + node,
                "parley1 " + node + " 0 x",
                "parley1 " + node + " 0 " + node + ".-1.0",
                "parley1 " + node + " 0 " + node + ".zzzzzzzzzzzzzzzzzzzz.0",
                "parley1 " + node + " 0 " + "g".repeat(32) + ".1.0",
                "parley2 " + node + " 0 " + node + ".1.0",
                "中文 العربية 🙂")) {
            sendForeign(foreign);
        }
        ThreadId thread = ThreadId.fresh();
        two.getFirst().send(thread, 1);
        awaitHint(two.get(1), thread, 1);
        assertThat(two.get(1).threads()).containsExactly(thread);
    }

    @Test
    void delayIsMeasured() {
        TestNode alone = node();
        await().atMost(LIMIT).until(() -> alone.pulses() >= 2);
        assertThat(alone.bus().isLate()).isFalse();
        assertThat(alone.bus().lag()).isPresent();
        assertThat(alone.bus().peers()).isZero();
    }

    @Test
    void nodeWithoutPeersSendsNoHints() {
        TestNode alone = node();
        await().atMost(LIMIT).until(() -> alone.pulses() >= 1);
        alone.send(ThreadId.fresh(), 1);
        assertThat(alone.bus().waiting()).isZero();
    }

    @Test
    void closingEndsItsThreads() throws Exception {
        ThreadGroup group = new ThreadGroup("wakeups-under-test");
        // Threads belong to the group of the thread that starts them.
        FutureTask<?> life = new FutureTask<>(() -> {
            try (TestNode node = new TestNode(open())) {
                await().pollInSameThread().atMost(LIMIT).until(() -> node.pulses() >= 1);
                return null;
            }
        });
        new Thread(group, life).start();
        life.get();
        await().atMost(LIMIT).until(() -> group.activeCount() == 0);
    }
}
