package dev.parley.face.docs;

import dev.parley.protocol.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;

/** The OpenAPI document that comes with the server, as text and as a tree. */
public record ApiDocument(String text, JsonNode root) {
    /** One method of one path. */
    public record Operation(String method, String path, JsonNode node) {
        public String id() {
            return node.path("operationId").asString();
        }

        /** The scopes that an agent's token always needs for the operation. */
        public List<String> scopes() {
            JsonNode scope = node.path("x-parley-scope");
            return scope.isArray()
                    ? scope.valueStream().map(JsonNode::asString).toList()
                    : scope.isMissingNode() ? List.of() : List.of(scope.asString());
        }
    }

    public static ApiDocument load() {
        String text = resource("openapi.yaml");
        Object tree = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
        return new ApiDocument(text, Json.MAPPER.valueToTree(tree));
    }

    static String resource(String name) {
        try (InputStream in = ApiDocument.class.getResourceAsStream("/openapi/" + name)) {
            if (in == null) {
                throw new IllegalStateException("The server was built without its " + name + ".");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All operations in the order of the document. */
    public Stream<Operation> operations() {
        return root.path("paths").properties().stream()
                .flatMap(path -> path.getValue().properties().stream()
                        .map(method -> new Operation(method.getKey(), path.getKey(), method.getValue())));
    }

    /** The node itself, or the target of its {@code $ref}. */
    public JsonNode resolve(JsonNode node) {
        String ref = node.path("$ref").asString("");
        return ref.isEmpty() ? node : root.at(ref.substring(1));
    }

    public JsonNode schemas() {
        return root.path("components").path("schemas");
    }

    /** The explanation of each problem, by its slug. */
    public Map<String, JsonNode> problems() {
        return root.path("x-parley-problems")
                .propertyStream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (a, b) -> a, LinkedHashMap::new));
    }
}
