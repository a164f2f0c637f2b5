package dev.parley.docs;

import dev.parley.face.docs.ApiDocument;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The API document for tests. */
final class OpenApi {
    static final ApiDocument DOCUMENT = ApiDocument.load();

    private OpenApi() {}

    /** The names of an object's members. */
    static Set<String> names(JsonNode object) {
        return new TreeSet<>(object.propertyNames());
    }

    static Set<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asString).collect(Collectors.toCollection(TreeSet::new));
    }
}
