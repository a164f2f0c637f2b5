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
 * Turns the JSON Schema of a tool into what the library sends: member by member as it is, or, for Gemini, in the few
 * words that its API knows.
 */
final class ToolSchemas {
    private static final int MAX_DEPTH = 16;

    /** References can make a small schema very large. */
    private static final int MAX_NODES = 2_000;

    private final JsonNode root;
    private int made;

    private ToolSchemas(JsonNode root) {
        this.root = root;
    }

    /** Empty for a tool without parameters. */
    static Optional<JsonObjectSchema> of(@Nullable JsonNode schema, Provider provider) {
        if (schema == null
                || !schema.path("properties").isObject()
                || schema.path("properties").isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(provider == Provider.GEMINI ? new ToolSchemas(schema).object(schema, 0) : asItIs(schema));
    }

    private static JsonObjectSchema asItIs(JsonNode schema) {
        JsonObjectSchema.Builder made = JsonObjectSchema.builder();
        made.addProperties(raw(schema.path("properties")));
        made.required(texts(schema.path("required")));
        if (schema.path("additionalProperties").isBoolean()) {
            made.additionalProperties(schema.path("additionalProperties").booleanValue());
        }
        if (schema.path("$defs").isObject()) {
            made.definitions(raw(schema.path("$defs")));
        }
        return made.build();
    }

    private static Map<String, JsonSchemaElement> raw(JsonNode members) {
        Map<String, JsonSchemaElement> all = new LinkedHashMap<>();
        members.forEachEntry((name, member) -> all.put(name, JsonRawSchema.from(member.toString())));
        return all;
    }

    private JsonObjectSchema object(JsonNode schema, int depth) {
        JsonObjectSchema.Builder made = JsonObjectSchema.builder();
        Map<String, JsonSchemaElement> members = new LinkedHashMap<>();
        schema.path("properties").forEachEntry((name, member) -> members.put(name, element(member, depth + 1)));
        made.addProperties(members);
        made.required(texts(schema.path("required")).stream()
                .filter(members::containsKey)
                .toList());
        made.description(description(schema));
        return made.build();
    }

    private JsonSchemaElement element(JsonNode given, int depth) {
        JsonNode schema = resolved(given);
        String description = description(given.has("description") ? given : schema);
        if (++made > MAX_NODES || depth > MAX_DEPTH) {
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
        JsonNode found = schema;
        for (int i = 0; i < MAX_DEPTH && isLocal(found.path("$ref").asString("")); i++) {
            found = root.at(found.path("$ref").stringValue().substring(1));
        }
        return found;
    }

    /** Of several types the first that is something. */
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
