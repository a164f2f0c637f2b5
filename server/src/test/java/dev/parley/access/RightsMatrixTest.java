package dev.parley.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import dev.parley.face.docs.ApiDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The owners of messages, runs, documents, states, approvals and feedback: every act of {@link Act} by every
 * {@link Role}, each in its own scene. A refused act changes nothing.
 */
class RightsMatrixTest {
    private static World world;
    private static RightsScene.Cast cast;

    @BeforeAll
    static void start() throws JOSEException {
        world = new World();
        cast = RightsScene.Cast.of(world);
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    @ParameterizedTest
    @EnumSource
    void everyRoleGetsTheResponseOfTheTable(Act act) {
        SoftAssertions softly = new SoftAssertions();
        for (Role role : Role.values()) {
            answer(act, role, Integer.parseInt(act.answers.get(role.ordinal())), softly);
        }
        softly.assertAll();
    }

    private static void answer(Act act, Role role, int expected, SoftAssertions softly) {
        String cell = act.face + ": " + act.title + " by " + role.title;
        try (RightsScene scene = new RightsScene(cast, expected >= 400)) {
            Calls.Got got = act.by(role, scene);
            softly.assertThat(got.status()).as(cell + ": " + got).isEqualTo(expected);
            if (expected >= 400) {
                softly.assertThat(scene.isUnchanged())
                        .as(cell + " changes nothing")
                        .isTrue();
            }
        }
    }

    @Test
    void everyOperationThatWritesIsInTheTableOrLeftOutForAReason() {
        Set<String> writing = ApiDocument.load()
                .operations()
                .filter(operation -> !operation.method().equals("get"))
                .map(ApiDocument.Operation::id)
                .collect(Collectors.toSet());
        Set<String> covered =
                Arrays.stream(Act.values()).map(act -> act.operation).collect(Collectors.toSet());

        assertThat(covered).doesNotContainAnyElementsOf(RightsPage.LEFT_OUT.keySet());
        covered.addAll(RightsPage.LEFT_OUT.keySet());
        assertThat(covered).isEqualTo(writing);
    }

    @Test
    void everyActAnswersEveryRole() {
        assertThat(Act.values())
                .allSatisfy(act -> assertThat(act.answers).as(act.name()).hasSize(Role.values().length));
        assertThat(Act.values())
                .extracting(act -> act.target)
                .contains("message", "run", "document", "state", "approval", "feedback");
    }

    /** Generate the page by {@code RENEW_DOCS=1 ./parley test --only RightsMatrixTest}. */
    @Test
    void thePageHasTheSameTable() throws IOException {
        Path page = Path.of("..", "docs", "use", "rights.md");
        String text = Files.readString(page);
        String renewed = RightsPage.renewed(text);
        if (System.getenv("RENEW_DOCS") != null) {
            Files.writeString(page, renewed);
        }
        assertThat(Files.readString(page))
                .as("docs/use/rights.md is not generated from this table; RENEW_DOCS=1 renews it")
                .isEqualTo(renewed);
    }
}
