package dev.parley.streaming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class StreamQuotaTest {
    private final StreamQuota quota = new StreamQuota(2);
    private final Actor olivia = Actor.user(UUID.randomUUID());

    @Test
    void aReleasedSlotCanBeTakenAgain() {
        for (int i = 0; i < 10; i++) {
            Runnable first = quota.take(olivia);
            Runnable second = quota.take(olivia);
            assertFull();
            first.run();
            Runnable third = quota.take(olivia);
            assertFull();
            second.run();
            third.run();
        }
    }

    @Test
    void actorsDoNotShareTheirSlots() {
        quota.take(olivia);
        quota.take(olivia);
        assertThat(quota.take(Actor.user(UUID.randomUUID()))).isNotNull();
        assertFull();
    }

    private void assertFull() {
        assertThatThrownBy(() -> quota.take(olivia))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problem()).isEqualTo(Problem.TOO_MANY_STREAMS));
    }
}
