package dev.parley.face.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The markup of schemas: one table each, with short types and links between them. */
final class SchemaMarkup {
    private SchemaMarkup() {}

    static void table(Markup page, String name, JsonNode schema) {
        page.add("<section class=\"schema\" id=\"schema-{}\"><h3>{}</h3>\n", name, name)
                .paragraphs(schema.path("description").asString(""));
        if (schema.has("properties")) {
            page.add("<table><tr><th>member</th><th>type</th><th>meaning</th></tr>\n");
            for (Map.Entry<String, JsonNode> property :
                    schema.path("properties").properties()) {
                page.add("<tr><td><code>{}</code>{}</td><td>", property.getKey(), mark(schema, property.getKey()));
                type(page, property.getValue());
                page.add("</td><td>")
                        .prose(property.getValue().path("description").asString(""))
                        .add("</td></tr>\n");
            }
            page.add("</table>\n");
        }
        page.add("</section>\n");
    }

    private static String mark(JsonNode schema, String property) {
        boolean required = schema.path("required")
                .valueStream()
                .anyMatch(name -> name.asString().equals(property));
        return required ? "" : " (optional)";
    }

    /** A link to a named schema, or a short type. */
    static void type(Markup page, JsonNode schema) {
        String ref = schema.path("$ref").asString("");
        if (!ref.isEmpty()) {
            String name = ref.substring(ref.lastIndexOf('/') + 1);
            page.add("<a href=\"#schema-{}\">{}</a>", name, name);
        } else if (schema.has("anyOf")) {
            boolean first = true;
            for (JsonNode each : schema.path("anyOf")) {
                page.add(first ? "" : " or ");
                type(page, each);
                first = false;
            }
        } else if (schema.has("items")) {
            page.add("list of ");
            type(page, schema.path("items"));
            page.add(words(schema).contains("null") ? " or null" : "");
        } else {
            page.add("{}", String.join(" ", describe(schema)));
        }
    }

    private static List<String> words(JsonNode schema) {
        JsonNode type = schema.path("type");
        return type.isArray()
                ? type.valueStream().map(JsonNode::asString).toList()
                : List.of(type.asString("anything"));
    }

    private static List<String> describe(JsonNode schema) {
        List<String> phrases = new ArrayList<>();
        if (schema.has("enum")) {
            phrases.add(schema.path("enum")
                    .valueStream()
                    .map(value -> value.isNull() ? "null" : value.asString())
                    .collect(Collectors.joining(" | ")));
        } else if (schema.has("const")) {
            phrases.add(schema.path("const").asString());
        } else {
            phrases.add(String.join(" or ", words(schema)));
        }
        if (schema.has("format")) {
            phrases.add("(" + schema.path("format").asString() + ")");
        }
        if (schema.has("maxLength")) {
            phrases.add("up to " + schema.path("maxLength").asInt() + " characters");
        }
        return phrases;
    }
}
