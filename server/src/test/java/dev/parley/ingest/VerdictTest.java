package dev.parley.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.log.Engagement;
import dev.parley.protocol.Actor;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The verdict by the decisions about all agents of a thread. */
class VerdictTest {
    private static final Actor ADA = Actor.agent(UUID.randomUUID());
    private static final Actor BOB = Actor.agent(UUID.randomUUID());

    @Test
    void verdictPrefersAnsweringAgentsAndTheAddressedOne() {
        Engagement ada = new Engagement(ADA, true, "open", "run_a");
        Engagement bob = new Engagement(BOB, true, "mentioned", "run_b");
        Engagement silent = new Engagement(BOB, false, "not_mentioned");

        assertThat(Verdict.of(List.of(ada, bob), BOB)).isEqualTo(new Verdict(true, "mentioned", "run_b"));
        assertThat(Verdict.of(List.of(ada, silent), BOB)).isEqualTo(new Verdict(true, "open", "run_a"));
    }

    @Test
    void verdictWithoutAnAnswerHasTheAddressedAgentsReason() {
        Engagement ada = new Engagement(ADA, false, "inactive");
        Engagement bob = new Engagement(BOB, false, "not_mentioned");

        assertThat(Verdict.of(List.of(ada, bob), BOB)).isEqualTo(new Verdict(false, "not_mentioned", null));
        assertThat(Verdict.of(List.of(ada), BOB)).isEqualTo(new Verdict(false, "inactive", null));
        assertThat(Verdict.of(List.of(), BOB)).isEqualTo(new Verdict(false, "no_agent", null));
    }

    @ParameterizedTest
    @CsvSource({
        "false, passive, true",
        "false, not_mentioned, true",
        "false, agent_not_mentioned, false",
        "false, hop_limit, false",
        "false, agent_budget, false",
        "false, inactive, false",
        "false, no_agent, false",
        "true, mentioned, false"
    })
    void verdictIsRaisedOnlyForReasonsThatAnAddressChanges(boolean run, String reason, boolean raised) {
        assertThat(new Verdict(run, reason, null).mayBeRaised()).isEqualTo(raised);
    }
}
