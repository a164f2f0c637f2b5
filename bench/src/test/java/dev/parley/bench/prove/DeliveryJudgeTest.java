package dev.parley.bench.prove;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DeliveryJudgeTest {
    private static final List<String> MESSAGES = List.of("a\n\nb\nc", "d");

    private static List<String> violations(List<String> posts, boolean doubtful) {
        return DeliveryJudge.violations("C1", MESSAGES, posts, doubtful);
    }

    @Test
    void linesThereOnceAndInOrderHold() {
        assertThat(violations(List.of("a\nb", "c", "d"), false)).isEmpty();
    }

    @Test
    void missingLineIsAViolationUnlessUncertain() {
        assertThat(violations(List.of("a\nb", "d"), false)).containsExactly("C1 does not show: c");
        assertThat(violations(List.of("a\nb", "d"), true)).isEmpty();
    }

    @Test
    void repeatedLateOrForeignLineIsAViolationInAnyCase() {
        assertThat(violations(List.of("a\nb", "a\nb", "c", "d"), true))
                .containsExactly("C1 shows a line twice: a", "C1 shows a line twice: b");
        assertThat(violations(List.of("c", "a\nb", "d"), true))
                .containsExactly("C1 shows a line too late: a", "C1 shows a line too late: b");
        assertThat(violations(List.of("a\nb\nc\nd\nx"), true))
                .containsExactly("C1 shows a line that no agent wrote: x");
    }
}
