package dev.parley.testing;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.parley.face.docs.ApiDocument;
import dev.parley.protocol.Json;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Validates values by the schemas of the API document. */
public final class ApiSchemas {
    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private final ApiDocument document;
    /** Built once per schema: each contains the whole document. */
    private final Map<JsonNode, Schema> judges = new ConcurrentHashMap<>();

    public ApiSchemas(ApiDocument document) {
        this.document = document;
    }

    /** The violations of a schema by a value; empty if it fits. */
    public List<String> faults(JsonNode schema, JsonNode value) {
        return judges
                .computeIfAbsent(schema, this::judge)
                .validate(value, context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)))
                .stream()
                .map(Error::toString)
                .toList();
    }

    private Schema judge(JsonNode schema) {
        ObjectNode whole = Json.MAPPER.createObjectNode();
        whole.set("components", document.root().path("components"));
        whole.setAll((ObjectNode) schema);
        return REGISTRY.getSchema(whole);
    }

    /** The violations of an operation's description by a response; empty if it fits. */
    public List<String> faults(ApiDocument.Operation operation, int status, String contentType, String body) {
        JsonNode declared = operation.node().path("responses").path(Integer.toString(status));
        if (declared.isMissingNode()) {
            return List.of("The document does not know the status " + status + ": " + body);
        }
        JsonNode response = document.resolve(declared);
        if (!response.has("content")) {
            return body.isEmpty() ? List.of() : List.of("There should be no body: " + body);
        }
        String type = contentType.replaceFirst(";.*", "");
        JsonNode content =
                response.path("content").path(response.path("content").has("*/*") ? "*/*" : type);
        if (content.isMissingNode()) {
            return List.of("The document does not know the content type " + contentType);
        }
        if (!type.endsWith("json") || response.path("content").has("*/*")) {
            return List.of();
        }
        JsonNode value = Json.MAPPER.readTree(body);
        if (response.has("x-parley-problems")
                && response.path("x-parley-problems")
                        .valueStream()
                        .noneMatch(slug -> ("/problems/" + slug.asString())
                                .equals(value.path("type").asString()))) {
            return List.of("The document does not expect the problem " + value.path("type"));
        }
        return faults(content.path("schema"), value);
    }
}
