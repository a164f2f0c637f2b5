package dev.parley.bench.prove.viewers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.ThreadId;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The proof must be able to fail: a stream that is not whole is seen. */
class ViewerTest {
    private final Viewer viewer = new Viewer(ThreadId.fresh(), 0, new SplittableRandom(1));

    @Test
    void aWholeStreamIsWhole() {
        viewer.saw(1, 0);
        viewer.saw(1, 3);
        viewer.saw(1, 5);
        viewer.saw(2, 0);
        assertThat(viewer.gaps()).isZero();
        assertThat(viewer.repeats()).isZero();
        assertThat(viewer.deliveries()).isEqualTo(2);
        assertThat(viewer.lastEventId()).isEqualTo("2");
    }

    @Test
    void itComesBackAfterWhatItSawLast() {
        viewer.saw(1, 0);
        viewer.saw(1, 3);
        assertThat(viewer.lastEventId()).isEqualTo("1-3");
    }

    @Test
    void whatIsLeftOutIsAGap() {
        viewer.saw(1, 0);
        viewer.saw(4, 0);
        viewer.saw(5, 9);
        assertThat(viewer.gaps()).isEqualTo(3);
    }

    @Test
    void whatComesAgainIsARepeat() {
        viewer.saw(1, 0);
        viewer.saw(1, 0);
        viewer.saw(1, 3);
        viewer.saw(1, 3);
        assertThat(viewer.repeats()).isEqualTo(2);
    }
}
