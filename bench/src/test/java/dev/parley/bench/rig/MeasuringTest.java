package dev.parley.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuringTest {
    @Test
    void cpuTimeGrowsWithWork() {
        Duration before = CpuTime.ofThisProcess();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> CpuTime.ofThisProcess().minus(before).toMillis() >= 50);
    }

    @Test
    void cpuTimeOfAChildThatHasEndedBelongsToTheFamily() throws IOException, InterruptedException {
        Duration before = CpuTime.ofFamily(ProcessHandle.current().pid());
        Duration own = CpuTime.ofThisProcess();
        Process child = new ProcessBuilder(
                        List.of("/bin/sh", "-c", "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done"))
                .start();
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        Duration family = CpuTime.ofFamily(ProcessHandle.current().pid()).minus(before);
        assertThat(family).isGreaterThan(CpuTime.ofThisProcess().minus(own));
    }

    @Test
    void aProcessThatIsGoneHasUsedNothing() {
        assertThat(CpuTime.ofProcess(Long.MAX_VALUE)).isZero();
    }

    @Test
    void flushesTakeTime(@TempDir Path folder) throws IOException {
        DiskProbe.Flush flush = DiskProbe.measure(folder, Duration.ofMillis(50));
        assertThat(flush.p50Micros()).isPositive();
        assertThat(flush.p99Micros()).isGreaterThanOrEqualTo(flush.p50Micros());
        assertThat(folder).isEmptyDirectory();
    }
}
