package dev.parley.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The proof of viewers must be able to fail: a stream that is not whole is seen. */
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
    void itComesBackAfterWhatItSawLast() {
        viewer.saw("1");
        viewer.saw("1-3");
        assertThat(viewer.lastId()).isEqualTo("1-3");
    }

    @Test
    void whatIsLeftOutIsAGap() {
        viewer.saw("1");
        viewer.saw("4");
        viewer.saw("5-9");
        assertThat(viewer.gaps()).isEqualTo(3);
    }

    @Test
    void whatComesAgainIsARepeat() {
        viewer.saw("1");
        viewer.saw("1");
        viewer.saw("1-3");
        viewer.saw("1-3");
        assertThat(viewer.repeats()).isEqualTo(2);
    }
}
