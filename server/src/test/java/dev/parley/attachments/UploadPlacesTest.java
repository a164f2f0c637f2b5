package dev.parley.attachments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import org.junit.jupiter.api.Test;

class UploadPlacesTest {
    private final UploadPlaces places = new UploadPlaces(3, 2);
    private final Actor ada = Actor.user(UuidV7.next());
    private final Actor bea = Actor.user(UuidV7.next());

    private void refused(Actor actor, Problem problem) {
        assertThatThrownBy(() -> places.take(actor))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refusal -> assertThat(refusal.problem()).isEqualTo(problem));
    }

    @Test
    void soManyOfOneAndSoManyInAll() {
        places.take(ada);
        places.take(ada);
        refused(ada, Problem.RATE_LIMITED);
        places.take(bea);
        refused(bea, Problem.OVERLOADED);
        places.giveBack(ada);
        places.take(bea);
        places.giveBack(bea);
        places.take(ada);
        refused(Actor.user(UuidV7.next()), Problem.OVERLOADED);
    }
}
