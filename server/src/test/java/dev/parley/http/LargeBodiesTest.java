package dev.parley.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class LargeBodiesTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private final Queue<String> served = new ConcurrentLinkedQueue<>();

    private Thread taking(LargeBodies bodies, String caller) {
        return Thread.ofVirtual().start(() -> {
            try {
                bodies.take(caller);
                served.add(caller);
            } catch (InterruptedException | ProblemException refused) {
                served.add(caller + " refused");
            }
        });
    }

    private static void awaitWaiting(Thread thread) {
        await().atMost(LONG).until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    }

    @Test
    void oneCallerHasHalfOfThePlacesAtMost() throws Exception {
        LargeBodies bodies = new LargeBodies(4, Duration.ofMillis(50));
        bodies.take("ada");
        bodies.take("ada");
        assertRefused(bodies, "ada");
        bodies.take("bob");
        bodies.take("bob");
        assertRefused(bodies, "cleo");
        bodies.giveBack("ada");
        bodies.take("cleo");
    }

    @Test
    void ofASinglePlaceEverybodyMayHaveAll() throws Exception {
        LargeBodies bodies = new LargeBodies(1, Duration.ofMillis(50));
        bodies.take("ada");
        assertRefused(bodies, "bob");
        bodies.giveBack("ada");
        bodies.take("bob");
    }

    @Test
    void whoWaitsIsServedInOrderAndOnlyHeldUpByItself() throws Exception {
        LargeBodies bodies = new LargeBodies(2, LONG);
        bodies.take("ada");
        bodies.take("bob");
        awaitWaiting(taking(bodies, "ada"));
        awaitWaiting(taking(bodies, "cleo"));
        awaitWaiting(taking(bodies, "dora"));
        bodies.giveBack("bob");
        await().atMost(LONG).until(() -> served.size() == 1);
        bodies.giveBack("cleo");
        await().atMost(LONG).until(() -> served.size() == 2);
        bodies.giveBack("ada");
        await().atMost(LONG).until(() -> served.size() == 3);
        assertThat(served).containsExactly("cleo", "dora", "ada");
    }

    @Test
    void onlySoManyWaitAndHalfOfThemOneCallers() throws Exception {
        LargeBodies bodies = new LargeBodies(1, LONG);
        bodies.take("zoe");
        List<Thread> waiting = new ArrayList<>();
        for (String caller : List.of("ada", "ada", "bob", "cleo")) {
            waiting.add(taking(bodies, caller));
            awaitWaiting(waiting.getLast());
            if (waiting.size() == 2) {
                assertRefused(bodies, "ada");
            }
        }
        assertRefused(bodies, "dora");
        for (Thread thread : waiting) {
            thread.interrupt();
            assertThat(thread.join(LONG)).isTrue();
        }
        bodies.giveBack("zoe");
        bodies.take("dora");
        assertThat(served).hasSize(4).allMatch(each -> each.endsWith("refused"));
    }

    private static void assertRefused(LargeBodies bodies, String caller) {
        assertThatThrownBy(() -> bodies.take(caller))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problem()).isEqualTo(Problem.OVERLOADED));
    }
}
