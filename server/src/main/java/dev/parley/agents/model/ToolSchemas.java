package dev.parley.agents.model;

import dev.langchain4j.model.chat.request.json.JsonAnyOfSchema;
import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonBooleanSchema;
import dev.langchain4j.model.chat.request.json.JsonEnumSchema;
import dev.langchain4j.model.chat.request.json.JsonIntegerSchema;
import dev.langchain4j.model.chat.request.json.JsonNullSchema;
import dev.langchain4j.model.chat.request.json.JsonNumberSchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.langchain4j.model.chat.request.json.JsonStringSchema;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Maps the JSON Schema of a tool to the library's schema. For Gemini, the schemas of the parameters are reduced to the
 * keywords that its API knows. For other providers, these schemas stay unchanged.
 */
final class ToolSchemas {
    private static final int MAX_DEPTH = 16;

    /** Limit of the nodes in the mapped schema, because references can make a small schema very large. */
    private static final int MAX_NODES = 2_000;

    private final JsonNode root;
    private int nodes;

    private ToolSchemas(JsonNode root) {
        this.root = root;
    }

    /** The mapped schema; empty for a tool without parameters. */
    static Optional<JsonObjectSchema> of(@Nullable JsonNode schema, Provider provider) {
        if (schema == null
                || !schema.path("properties").isObject()
                || schema.path("properties").isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(provider == Provider.GEMINI ? new ToolSchemas(schema).object(schema, 0) : unchanged(schema));
    }

    private static JsonObjectSchema unchanged(JsonNode schema) {
        JsonObjectSchema.Builder builder = JsonObjectSchema.builder();
        builder.addProperties(raw(schema.path("properties")));
        builder.required(texts(schema.path("required")));
        if (schema.path("additionalProperties").isBoolean()) {
            builder.additionalProperties(schema.path("additionalProperties").booleanValue());
        }
        if (schema.path("$defs").isObject()) {
            builder.definitions(raw(schema.path("$defs")));
        }
        return builder.build();
    }

    private static Map<String, JsonSchemaElement> raw(JsonNode members) {
        Map<String, JsonSchemaElement> all = new LinkedHashMap<>();
        members.forEachEntry((name, member) -> all.put(name, JsonRawSchema.from(member.toString())));
        return all;
    }

    private JsonObjectSchema object(JsonNode schema, int depth) {
        JsonObjectSchema.Builder builder = JsonObjectSchema.builder();
        Map<String, JsonSchemaElement> members = new LinkedHashMap<>();
        schema.path("properties").forEachEntry((name, member) -> members.put(name, element(member, depth + 1)));
        builder.addProperties(members);
        builder.required(texts(schema.path("required")).stream()
                .filter(members::containsKey)
                .toList());
        builder.description(description(schema));
        return builder.build();
    }

    private JsonSchemaElement element(JsonNode given, int depth) {
        JsonNode schema = resolved(given);
        String description = description(given.has("description") ? given : schema);
        if (++nodes > MAX_NODES || depth > MAX_DEPTH) {
            return JsonStringSchema.builder().description(description).build();
        }
        List<JsonNode> choices = Stream.concat(
                        schema.path("anyOf").valueStream(), schema.path("oneOf").valueStream())
                .toList();
        if (!choices.isEmpty()) {
            return JsonAnyOfSchema.builder()
                    .description(description)
                    .anyOf(choices.stream()
                            .map(choice -> element(choice, depth + 1))
                            .toList())
                    .build();
        }
        List<String> values = texts(schema.has("const") ? schema.path("const") : schema.path("enum"));
        if (!values.isEmpty()) {
            return JsonEnumSchema.builder()
                    .description(description)
                    .enumValues(values)
                    .build();
        }
        return switch (type(schema)) {
            case "integer" ->
                JsonIntegerSchema.builder().description(description).build();
            case "number" -> JsonNumberSchema.builder().description(description).build();
            case "boolean" ->
                JsonBooleanSchema.builder().description(description).build();
            case "null" -> new JsonNullSchema();
            case "array" ->
                JsonArraySchema.builder()
                        .description(description)
                        .items(element(schema.path("items"), depth + 1))
                        .build();
            case "object" -> object(schema, depth);
            default -> JsonStringSchema.builder().description(description).build();
        };
    }

    private JsonNode resolved(JsonNode schema) {
        JsonNode target = schema;
        for (int i = 0; i < MAX_DEPTH && isLocal(target.path("$ref").asString("")); i++) {
            target = root.at(target.path("$ref").stringValue().substring(1));
        }
        return target;
    }

    /** The type of a schema. If there are several types, the first type other than null counts. */
    private static String type(JsonNode schema) {
        JsonNode type = schema.path("type");
        if (type.isArray()) {
            return type.valueStream()
                    .map(each -> each.asString(""))
                    .filter(each -> !each.equals("null"))
                    .findFirst()
                    .orElse("null");
        }
        return type.asString(schema.has("properties") ? "object" : "string");
    }

    private static @Nullable String description(JsonNode schema) {
        return schema.path("description").isString()
                ? schema.path("description").stringValue()
                : null;
    }

    private static List<String> texts(JsonNode given) {
        return (given.isArray() ? given.valueStream() : Stream.of(given))
                .filter(JsonNode::isString)
                .map(JsonNode::stringValue)
                .toList();
    }

    private static boolean isLocal(String reference) {
        return reference.equals("#") || reference.startsWith("#/");
    }
}
