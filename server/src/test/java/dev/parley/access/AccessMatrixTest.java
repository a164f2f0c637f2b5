package dev.parley.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import dev.parley.face.docs.ApiDocument;
import dev.parley.testing.ApiSchemas;
import java.util.ArrayList;
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
    /** Reads change nothing, so that all of them are tried on one scene. */
    private static Scene reading;

    @BeforeAll
    static void start() throws JOSEException {
        world = new World();
        reading = new Scene(world, DOCUMENT, true);
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
        Scene scene = operation.method().equals("get")
                ? reading
                : new Scene(world, DOCUMENT, operation.path().contains("webhook"));
        SoftAssertions softly = new SoftAssertions();
        List<Object> before = scene.state();
        // The state is read after all refused calls in a row, since it is what takes the time.
        List<String> refused = new ArrayList<>();

        for (Visitor visitor : world.visitors()) {
            Set<Integer> expected = Rules.expected(operation, visitor);
            if (expected.stream().anyMatch(status -> status < 400)) {
                assertUnchanged(softly, scene, before, refused);
            }
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
                refused.add(cell);
            }
        }
        assertUnchanged(softly, scene, before, refused);
        softly.assertAll();
    }

    /** Compares the state with that before the refused calls, and forgets these. */
    private static void assertUnchanged(
            SoftAssertions softly, Scene scene, List<Object> before, List<String> refused) {
        if (!refused.isEmpty()) {
            softly.assertThat(scene.state())
                    .as("One of these changed something: " + refused)
                    .isEqualTo(before);
            refused.clear();
        }
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
