package dev.parley.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import dev.parley.face.docs.ApiDocument;
import dev.parley.testing.ApiSchemas;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operation of the document, called by everybody there is. A new route is in here as soon as it is described, and
 * it must be described. What comes back is also compared with what the document says about it.
 */
class AccessMatrixTest {
    private static final ApiDocument DOCUMENT = ApiDocument.load();
    private static final ApiSchemas SCHEMAS = new ApiSchemas(DOCUMENT);

    private static World world;

    @BeforeAll
    static void start() throws JOSEException {
        world = new World();
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    static Stream<ApiDocument.Operation> operations() {
        return DOCUMENT.operations();
    }

    @ParameterizedTest
    @MethodSource("operations")
    void everyVisitorGetsWhatTheDocumentSays(ApiDocument.Operation operation) throws Exception {
        Scene scene = new Scene(world, DOCUMENT);
        SoftAssertions softly = new SoftAssertions();
        List<Object> before = scene.state();

        for (Visitor visitor : world.visitors()) {
            Set<Integer> expected = Rules.expected(operation, visitor);
            Calls.Got got = scene.call(operation, visitor);
            String cell = operation.id() + " by " + visitor;
            softly.assertThat(expected).as(cell + ": " + got).contains(got.status());
            softly.assertThat(SCHEMAS.faults(operation, got.status(), got.contentType(), got.body()))
                    .as(cell)
                    .isEmpty();
            if (got.status() < 400) {
                // Nobody comes after the owner, who may have deleted what there was to see.
                before = visitor.credential().equals(world.owner) ? before : scene.state();
            } else {
                softly.assertThat(scene.state()).as(cell + " changed something").isEqualTo(before);
            }
        }
        softly.assertAll();
    }

    /** What the wrong tokens differ in is what they are refused for. */
    @Test
    void aTokenOfTheFormerSecretWithTheRightAudienceIsGood() throws Exception {
        UUID user = UUID.randomUUID();

        Calls.Got got = world.api.call("GET", "/api/v1/auth/me", world.signedByTheFormerSecret(user), "");

        assertThat(got.status()).isEqualTo(200);
        assertThat(got.json().path("sender_id").asString()).isEqualTo("user:" + user);
    }
}
