package dev.parley.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.face.docs.ApiDocument;
import dev.parley.protocol.Json;
import dev.parley.testing.ApiSchemas;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Calls operations of the API document, and compares each answer with it. */
record DescribedApi(Calls calls) implements AutoCloseable {
    private static final ApiDocument DOCUMENT = ApiDocument.load();
    private static final ApiSchemas SCHEMAS = new ApiSchemas(DOCUMENT);

    JsonNode call(String operation, String path, String credential) {
        return call(operation, path, credential, "");
    }

    JsonNode call(String operation, String path, String credential, Object body) {
        ApiDocument.Operation described = described(operation);
        Calls.Got got = calls.call(
                described.method(), path, credential, body.equals("") ? "" : Json.MAPPER.writeValueAsString(body));
        assertThat(SCHEMAS.faults(described, got.status(), got.contentType(), got.body()))
                .as(operation + " " + got)
                .isEmpty();
        return got.body().isEmpty() ? Json.MAPPER.createObjectNode() : got.json();
    }

    /** Calls an operation; the result is the status of the problem. */
    int refusal(String operation, String path, String credential) {
        return refusal(operation, path, credential, "");
    }

    int refusal(String operation, String path, String credential, Object body) {
        return status(call(operation, path, credential, body));
    }

    static int status(JsonNode problem) {
        return problem.path("status").asInt();
    }

    static Set<String> names(Calls.Followed stream) {
        return stream.frames.stream().map(Calls.Frame::event).collect(Collectors.toSet());
    }

    /** Every frame of the stream fits the operation's schema of that frame. */
    static void assertFit(String operation, Calls.Followed stream) {
        JsonNode schemas = described(operation).node().at("/responses/200/content/text~1event-stream/x-parley-frames");
        assertThat(stream.frames).isNotEmpty().allSatisfy(frame -> {
            assertThat(schemas.has(frame.event())).as(frame.event()).isTrue();
            assertThat(SCHEMAS.faults(schemas.path(frame.event()), frame.data()))
                    .isEmpty();
            if (operation.equals("followRuns")) {
                assertThat(frame.id()).matches("[0-9]+");
                assertThat(frame.data().path("type").asString()).isEqualTo(frame.event());
            } else {
                assertThat(frame.id()).isEqualTo(frame.data().path("event_id").asString(""));
            }
        });
    }

    private static ApiDocument.Operation described(String id) {
        return DOCUMENT.operations()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        calls.close();
    }
}
