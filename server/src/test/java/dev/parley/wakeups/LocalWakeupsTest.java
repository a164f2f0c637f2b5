package dev.parley.wakeups;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.ThreadId;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LocalWakeupsTest extends WakeupsContract {
    private final String group = UUID.randomUUID().toString();

    @Override
    Wakeups open() {
        return new LocalWakeups(group);
    }

    @Override
    void sendForeign(String text) {
        new LocalWakeups(group).carry(List.of(new Wakeups.Message(0, text)));
    }

    @Test
    void otherGroupReceivesNoHints() {
        List<TestNode> two = nodes(2);
        try (TestNode elsewhere = new TestNode(new LocalWakeups("another " + group))) {
            ThreadId thread = ThreadId.fresh();
            two.getFirst().send(thread, 1);
            awaitHint(two.get(1), thread, 1);
            assertThat(elsewhere.threads()).isEmpty();
            assertThat(elsewhere.bus().peers()).isZero();
        }
    }
}
