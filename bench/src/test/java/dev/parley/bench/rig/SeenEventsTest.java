package dev.parley.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The proof of viewers must be able to fail: a broken stream is noticed. */
class SeenEventsTest {
    private final SeenEvents viewer = new SeenEvents();

    @Test
    void aWholeStreamIsWhole() {
        viewer.saw("1");
        viewer.saw("1-3");
        viewer.saw("1-5");
        viewer.saw("2");
        assertThat(viewer.gaps()).isZero();
        assertThat(viewer.repeats()).isZero();
        assertThat(viewer.deliveries()).isEqualTo(2);
        assertThat(viewer.lastId()).isEqualTo("2");
    }

    @Test
    void reconnectNamesTheLastEvent() {
        viewer.saw("1");
        viewer.saw("1-3");
        assertThat(viewer.lastId()).isEqualTo("1-3");
    }

    @Test
    void missingEventIsCountedAsAGap() {
        viewer.saw("1");
        viewer.saw("4");
        viewer.saw("5-9");
        assertThat(viewer.gaps()).isEqualTo(3);
    }

    @Test
    void repeatedEventIsCountedAsARepeat() {
        viewer.saw("1");
        viewer.saw("1");
        viewer.saw("1-3");
        viewer.saw("1-3");
        assertThat(viewer.repeats()).isEqualTo(2);
    }
}
