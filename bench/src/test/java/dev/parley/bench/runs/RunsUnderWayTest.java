package dev.parley.bench.runs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RunsUnderWayTest {
    private final RunsUnderWay runs = new RunsUnderWay();

    @Test
    void aRunIsUnfinishedUntilItIsSeenToEnd() {
        runs.begin("run-1", 17);
        assertThat(runs.unfinished(1, 0)).isOne();
        assertThat(runs.end("run-1", false)).hasValue(17);
        assertThat(runs.unfinished(1, 0)).isZero();
        assertThat(runs.finished()).isOne();
    }

    /** Otherwise one failure would weigh on every later window, and no lower rate would be sustained. */
    @Test
    void failedRunIsNotUnfinished() {
        runs.begin("refused", 1);
        runs.begin("broken", 2);
        runs.begin("well", 3);
        assertThat(runs.end("broken", true)).isEmpty();
        assertThat(runs.unfinished(3, 1)).isOne();
        assertThat(runs.end("well", false)).isPresent();
        assertThat(runs.unfinished(3, 1)).isZero();
        assertThat(runs.finished()).isOne();
    }

    @Test
    void endOfAnUnknownRunChangesNothing() {
        runs.begin("run-1", 1);
        assertThat(runs.end("stranger", false)).isEmpty();
        assertThat(runs.unfinished(1, 0)).isOne();
        assertThat(runs.finished()).isZero();
    }
}
