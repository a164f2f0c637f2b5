package dev.parley.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FairSharesTest {
    private final FairShares<String> shares = new FairShares<>(12);

    private int takeAll(String caller) {
        int taken = 0;
        while (shares.tryTake(caller)) {
            taken++;
        }
        return taken;
    }

    @Test
    void callersGetAtMostAsManySlotsAsStayFree() {
        assertThat(takeAll("first")).isEqualTo(6);
        assertThat(takeAll("second")).isEqualTo(3);
        assertThat(takeAll("third")).isEqualTo(1);
        assertThat(shares.free()).isEqualTo(2);
    }

    @Test
    void newcomersGetASlotWhileOneIsFree() {
        takeAll("first");
        for (int i = 0; i < 6; i++) {
            assertThat(shares.tryTake("newcomer " + i)).isTrue();
        }
        assertThat(shares.tryTake("too late")).isFalse();
        assertThat(shares.free()).isZero();
    }

    @Test
    void aSingleSlotServesAllCallers() {
        FairShares<String> one = new FairShares<>(1);
        assertThat(one.tryTake("first")).isTrue();
        assertThat(one.tryTake("second")).isFalse();
        one.giveBack("first");
        assertThat(one.tryTake("second")).isTrue();
    }

    @Test
    void allowanceIsTheNumberOfSlotsThatCanBeTaken() {
        for (int before = 0; before < 12; before++) {
            FairShares<String> some = new FairShares<>(12);
            for (int i = 0; i < before; i++) {
                some.tryTake("other " + i);
            }
            int allowed = some.allowance("caller");
            int taken = 0;
            while (some.tryTake("caller")) {
                taken++;
            }
            assertThat(taken).as("%d others", before).isEqualTo(allowed);
        }
    }

    @Test
    void slotsGivenBackAreFree() {
        takeAll("first");
        shares.giveBack("first");
        assertThat(shares.held("first")).isEqualTo(5);
        assertThat(shares.free()).isEqualTo(7);
        assertThat(shares.tryTake("first")).isTrue();
        assertThatThrownBy(() -> shares.giveBack("second")).isInstanceOf(IllegalStateException.class);
    }
}
