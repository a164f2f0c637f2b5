package dev.parley.attachments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import org.junit.jupiter.api.Test;

class UploadSlotsTest {
    private final UploadSlots slots = new UploadSlots(6, 2);
    private final Actor ada = Actor.user(UuidV7.next());
    private final Actor bea = Actor.user(UuidV7.next());

    private void refused(Actor actor, Problem problem) {
        assertThatThrownBy(() -> slots.take(actor))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refusal -> assertThat(refusal.problem()).isEqualTo(problem));
    }

    @Test
    void slotsOfOneActorAreLimited() {
        slots.take(ada);
        slots.take(ada);
        refused(ada, Problem.RATE_LIMITED);
        slots.giveBack(ada);
        slots.take(ada);
    }

    @Test
    void actorsLeaveRoomForTheNext() {
        slots.take(ada);
        slots.take(ada);
        slots.take(bea);
        slots.take(bea);
        for (int i = 0; i < 2; i++) {
            Actor next = Actor.user(UuidV7.next());
            slots.take(next);
            refused(next, Problem.OVERLOADED);
        }
        refused(Actor.user(UuidV7.next()), Problem.OVERLOADED);
        slots.giveBack(ada);
        slots.take(Actor.user(UuidV7.next()));
    }
}
