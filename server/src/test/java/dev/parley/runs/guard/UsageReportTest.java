package dev.parley.runs.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.agui.Common;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.protocol.agui.TokenUsage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The usage that an agent reports with the last event of its run, as it enters the log. */
class UsageReportTest {
    private static TokenUsage used(String model, @Nullable Long input) {
        return new TokenUsage("OpenAI", model, input, 1L, null, null, null, null);
    }

    private static List<TokenUsage> entering(RunEvent ending) {
        RunGuard guard = new RunGuard("t", "r");
        guard.accept(new RunEvent.Started("t", "r"));
        return ((RunEvent) guard.accept(ending).getLast()).usage();
    }

    private static RunEvent finished(List<TokenUsage> usage) {
        return new RunEvent.Finished("t", "r", null, null, usage, Common.NONE);
    }

    @Test
    void reportWithinTheLimit_staysAsItIs() {
        List<TokenUsage> report = Collections.nCopies(UsageReport.MAX_ITEMS, used("gpt-4o", 2L));
        assertThat(entering(finished(report))).isEqualTo(report);
    }

    @Test
    void requestsBeyondTheLimit_areSummedIntoTheLastItem() {
        List<TokenUsage> report = new ArrayList<>(Collections.nCopies(340_000, used("gpt-4o", 2L)));
        List<TokenUsage> entering = entering(new RunEvent.Failed("no", null, report, Common.NONE));
        assertThat(entering).hasSize(UsageReport.MAX_ITEMS).startsWith(used("gpt-4o", 2L));
        assertThat(entering.getLast())
                .isEqualTo(new TokenUsage("OpenAI", "gpt-4o", 679_802L, 339_901L, null, null, null, null));
        report.add(used("other", Long.MAX_VALUE));
        assertThat(entering(finished(report)).getLast())
                .as("a sum over several models names none, and ends at the largest number")
                .isEqualTo(new TokenUsage("OpenAI", null, Long.MAX_VALUE, 339_902L, null, null, null, null));
    }

    @Test
    void names_areMendedAndCut() {
        TokenUsage wild = new TokenUsage(
                "\u0000\uD83D", "模".repeat(UsageReport.MAX_NAME) + "型", null, null, null, null, null, null);
        assertThat(entering(finished(List.of(wild))))
                .containsExactly(new TokenUsage(
                        "\uFFFD\uFFFD", "模".repeat(UsageReport.MAX_NAME), null, null, null, null, null, null));
    }
}
