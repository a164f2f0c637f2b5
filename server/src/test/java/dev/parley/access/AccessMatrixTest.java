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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operation of the API document, called by every kind of visitor. A new route is covered as soon as the document
 * describes it, and it must be described. Each response is also compared with the document.
 */
class AccessMatrixTest {
    private static final ApiDocument DOCUMENT = ApiDocument.load();
    private static final ApiSchemas SCHEMAS = new ApiSchemas(DOCUMENT);

    private static World world;
    /** Reads change nothing, so all of them share one scene. */
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
    void everyVisitorGetsTheDocumentedResponse(ApiDocument.Operation operation) throws Exception {
        Scene scene = isRead(operation)
                ? reading
                : new Scene(world, DOCUMENT, operation.path().contains("webhook"));
        SoftAssertions softly = new SoftAssertions();
        Unchanged unchanged = new Unchanged(scene, softly);

        for (Visitor visitor : world.visitors()) {
            Set<Integer> expected = Rules.expected(operation, visitor);
            boolean mayChange = !isRead(operation) && expected.stream().anyMatch(status -> status < 400);
            boolean mustNotChange = isRead(operation) || expected.stream().anyMatch(status -> status >= 400);
            if (mayChange) {
                unchanged.check();
            }
            if (mustNotChange) {
                unchanged.remember();
            }
            Calls.Got got = scene.call(operation, visitor);
            String cell = operation.id() + " by " + visitor;
            softly.assertThat(expected).as(cell + ": " + got).contains(got.status());
            softly.assertThat(SCHEMAS.faults(operation, got.status(), got.contentType(), got.body()))
                    .as(cell)
                    .isEmpty();
            if (mayChange && got.status() < 400) {
                unchanged.forget();
            } else {
                unchanged.expectOf(cell);
            }
        }
        unchanged.check();
        softly.assertAll();
    }

    private static boolean isRead(ApiDocument.Operation operation) {
        return operation.method().equals("get");
    }

    /**
     * The state before calls that must change nothing: refused calls, and all reads. It is compared once after a row of
     * such calls, since reading the state takes most of the time.
     */
    private static final class Unchanged {
        private final Scene scene;
        private final SoftAssertions softly;
        private final List<String> cells = new ArrayList<>();
        private @Nullable List<Object> before;

        Unchanged(Scene scene, SoftAssertions softly) {
            this.scene = scene;
            this.softly = softly;
        }

        void remember() {
            before = before == null ? scene.state() : before;
        }

        void forget() {
            before = null;
        }

        /** A call that must not have changed anything. */
        void expectOf(String cell) {
            cells.add(cell);
        }

        void check() {
            if (!cells.isEmpty() && before != null) {
                softly.assertThat(scene.state())
                        .as("One of these changed something: " + cells)
                        .isEqualTo(before);
            }
            cells.clear();
        }
    }

    /** A control: the wrong tokens are refused for their differences from this one. */
    @Test
    void aTokenOfTheFormerSecretWithTheRightAudienceIsAccepted() throws Exception {
        UUID user = UUID.randomUUID();

        Calls.Got got = world.api.call("GET", "/api/v1/auth/me", world.signedByTheFormerSecret(user), "");

        assertThat(got.status()).isEqualTo(200);
        assertThat(got.json().path("sender_id").asString()).isEqualTo("user:" + user);
    }
}
