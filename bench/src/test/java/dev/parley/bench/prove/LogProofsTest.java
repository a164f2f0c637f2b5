package dev.parley.bench.prove;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LogProofsTest {
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(output, true, UTF_8);

    private static LogFinding finding(String... violations) {
        return new LogFinding("a step", 1, 2, 3, 4, 5, 6, 7, List.of(1.25, 2.5), Map.of(), List.of(violations));
    }

    @Test
    void oneViolationInOneStepGivesANonZeroStatus() throws IOException {
        assertThat(LogProofs.conclude(List.of(finding(), finding("a lost message")), out))
                .isEqualTo(1);
        assertThat(output.toString(UTF_8)).contains("lost", "duplicated", "reordered", "unavailable");
    }

    @Test
    void stepsThatHoldGiveZero() throws IOException {
        assertThat(LogProofs.conclude(List.of(finding()), out)).isZero();
    }

    @Test
    void theTableShowsTheSumAndTheLongestOfTheTimesUnavailable() {
        assertThat(LogProofs.table(List.of(finding())).toString().lines().toList())
                .last()
                .asString()
                .matches("a step +2 +3 +4 +5 +6 +7 +3.8 +2.5 +0");
    }

    @Test
    void simulatedHistoriesAreCounted() throws InterruptedException {
        LogFinding finding = SimulatorProof.run(1, 101);
        assertThat(finding.holds()).isTrue();
        assertThat(finding.cycles()).isEqualTo(101);
        assertThat(finding.acknowledged()).isPositive();
    }
}
