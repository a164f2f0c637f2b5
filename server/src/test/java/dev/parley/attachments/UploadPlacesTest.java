package dev.parley.attachments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import org.junit.jupiter.api.Test;

class UploadPlacesTest {
    private final UploadPlaces places = new UploadPlaces(6, 2);
    private final Actor ada = Actor.user(UuidV7.next());
    private final Actor bea = Actor.user(UuidV7.next());

    private void refused(Actor actor, Problem problem) {
        assertThatThrownBy(() -> places.take(actor))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refusal -> assertThat(refusal.problem()).isEqualTo(problem));
    }

    @Test
    void oneActorHasOnlySoMany() {
        places.take(ada);
        places.take(ada);
        refused(ada, Problem.RATE_LIMITED);
        places.giveBack(ada);
        places.take(ada);
    }

    @Test
    void actorsLeaveRoomForTheNext() {
        places.take(ada);
        places.take(ada);
        places.take(bea);
        places.take(bea);
        for (int i = 0; i < 2; i++) {
            Actor next = Actor.user(UuidV7.next());
            places.take(next);
            refused(next, Problem.OVERLOADED);
        }
        refused(Actor.user(UuidV7.next()), Problem.OVERLOADED);
        places.giveBack(ada);
        places.take(Actor.user(UuidV7.next()));
    }
}
