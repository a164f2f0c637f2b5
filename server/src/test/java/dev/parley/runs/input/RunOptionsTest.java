package dev.parley.runs.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.parley.protocol.FieldError;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.ForwardedProps;
import dev.parley.runs.lifecycle.MultitaskStrategy;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

class RunOptionsTest {
    private static final RunOptions NONE = new RunOptions(null, MultitaskStrategy.ENQUEUE, null);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "{}",
                "[]",
                "[{\"agentId\":\"x\"}]",
                "7",
                "\"reject\"",
                "{\"agentId\":null,\"multitaskStrategy\":null,\"regenerateFrom\":null}",
                "{\"threadMetadata\":{\"agent_id\":7},\"agentName\":7}"
            })
    void emptyProperties_giveTheDefaults(String props) {
        assertThat(RunOptions.of(Json.MAPPER.readTree(props))).isEqualTo(NONE);
    }

    @Test
    void missingProperties_giveTheDefaults() {
        assertThat(RunOptions.of(null)).isEqualTo(NONE);
    }

    @ParameterizedTest
    @EnumSource
    void strategies_areWrittenInLowerCase(MultitaskStrategy strategy) {
        String name = strategy.name().toLowerCase(Locale.ROOT);
        assertThat(RunOptions.of(Json.MAPPER.readTree("{\"multitaskStrategy\":\"" + name + "\"}")))
                .isEqualTo(new RunOptions(null, strategy, null));
    }

    @ParameterizedTest
    @CsvSource({
        "agent_id,agentId",
        "AgentID,agentId",
        "agentld,agentId",
        "agent,agentId",
        "multitask-strategy,multitaskStrategy",
        "multitaskStratgey,multitaskStrategy",
        "regenrateFrom,regenerateFrom",
    })
    void misspeltMember_isRefusedWithTheNearestName(String member, String meant) {
        assertThat(catchThrowableOfType(
                                ProblemException.class,
                                () -> RunOptions.of(
                                        Json.MAPPER.createObjectNode().put(member, "x")))
                        .errors())
                .containsExactly(
                        new FieldError("forwardedProps." + member, "is not known; did you mean " + meant + "?"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"agent", "agents", "agentld", "regenrateFrom", "agentId2"})
    void aguiMemberThatResemblesOurs_isTheAppsOwn(String member) {
        assertThat(RunOptions.ofAgui(Json.MAPPER.createObjectNode().put(member, "x")))
                .isEqualTo(NONE);
    }

    @ParameterizedTest
    @CsvSource({"agent_id,agentId", "agentID,agentId", "multitask-strategy,multitaskStrategy"})
    void aguiMemberInAnotherCaseOrWithSeparators_isRefused(String member, String meant) {
        assertThat(catchThrowableOfType(
                                ProblemException.class,
                                () -> RunOptions.ofAgui(
                                        Json.MAPPER.createObjectNode().put(member, "x")))
                        .errors())
                .containsExactly(
                        new FieldError("forwardedProps." + member, "is not known; did you mean " + meant + "?"));
    }

    @Test
    void errors_areFewAndShort_withManyWrongMembers() {
        ObjectNode props = Json.MAPPER.createObjectNode();
        for (int i = 0; i < 5_000; i++) {
            props.put(i + "😀".repeat(1_000), i);
        }
        assertThat(ForwardedProps.unread(props))
                .hasSize(20)
                .allSatisfy(
                        error -> assertThat(error.field()).hasSizeLessThan(160).endsWith("😀…"));
    }

    @Test
    void faults_areNamedAllAtOnce() {
        assertThat(catchThrowableOfType(
                                ProblemException.class,
                                () -> RunOptions.of(Json.MAPPER.readTree(
                                        "{\"agentId\":7,\"multitaskStrategy\":\"queue\",\"regenerateFrom\":{}}")))
                        .errors())
                .containsExactly(
                        new FieldError("forwardedProps.agentId", "must be a text"),
                        new FieldError(
                                "forwardedProps.multitaskStrategy",
                                "must be one of enqueue, interrupt, reject, rollback"),
                        new FieldError("forwardedProps.regenerateFrom", "must be a text"));
    }
}
