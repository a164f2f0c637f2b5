package dev.parley.face.docs;

import dev.parley.protocol.Json;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The markup of one operation. */
final class OperationMarkup {
    private final ApiDocument document;
    private final Markup page;

    OperationMarkup(ApiDocument document, Markup page) {
        this.document = document;
        this.page = page;
    }

    void article(ApiDocument.Operation operation) {
        JsonNode node = operation.node();
        page.add("<article id=\"{}\">\n<h3>", operation.id())
                .prose(node.path("summary").asString())
                .add(
                        "</h3>\n<p class=\"address\"><b>{}</b> <code>{}</code></p>\n",
                        operation.method().toUpperCase(Locale.ROOT),
                        operation.path())
                .paragraphs(node.path("description").asString(""));
        callers(operation);
        parameters(node);
        body(node.path("requestBody"));
        responses(node.path("responses"));
        page.add("</article>\n");
    }

    private void callers(ApiDocument.Operation operation) {
        JsonNode node = operation.node();
        String callers = node.path("x-parley-callers")
                .valueStream()
                .map(JsonNode::asString)
                .collect(Collectors.joining(", "));
        page.add("<p class=\"callers\">Who may call it: {}", callers);
        String before = "; an agent's token needs the scope ";
        for (String scope : operation.scopes()) {
            page.add(before).add("<code>{}</code>", scope);
            before = " and ";
        }
        node.path("x-parley-scope-with")
                .properties()
                .forEach(each -> page.add(
                        ", with <code>{}</code> also <code>{}</code>",
                        each.getKey(),
                        each.getValue().asString()));
        page.add("</p>\n");
    }

    private void parameters(JsonNode node) {
        if (node.path("parameters").isEmpty()) {
            return;
        }
        page.add("<table><tr><th>parameter</th><th>in</th><th>type</th><th>meaning</th></tr>\n");
        for (JsonNode each : node.path("parameters")) {
            JsonNode parameter = document.resolve(each);
            page.add(
                    "<tr><td><code>{}</code></td><td>{}</td><td>",
                    parameter.path("name").asString(),
                    parameter.path("in").asString());
            SchemaMarkup.type(page, parameter.path("schema"));
            page.add("</td><td>")
                    .prose(parameter.path("description").asString(""))
                    .add("</td></tr>\n");
        }
        page.add("</table>\n");
    }

    private void body(JsonNode body) {
        JsonNode content = body.path("content").path("application/json");
        if (!content.isMissingNode()) {
            page.add("<p>Body{}: ", body.path("required").asBoolean() ? "" : " (optional)");
            SchemaMarkup.type(page, content.path("schema"));
            page.add("</p>\n");
            example(content);
        }
    }

    private void example(JsonNode content) {
        if (content.has("example")) {
            page.add(
                    "<pre>{}</pre>\n",
                    Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(content.path("example")));
        }
    }

    private void responses(JsonNode responses) {
        page.add("<table><tr><th>status</th><th>meaning</th><th>body</th></tr>\n");
        for (Map.Entry<String, JsonNode> each : responses.properties()) {
            JsonNode response = document.resolve(each.getValue());
            page.add("<tr><td>{}</td><td>", each.getKey())
                    .prose(response.path("description").asString(""))
                    .add("</td><td>");
            if (response.has("x-parley-problems")) {
                problems(response.path("x-parley-problems"));
            } else {
                contents(response.path("content"));
            }
            page.add("</td></tr>\n");
        }
        page.add("</table>\n");
        responses.properties().forEach(each -> {
            if (each.getKey().startsWith("2")) {
                example(each.getValue().path("content").path("application/json"));
            }
        });
    }

    private void problems(JsonNode slugs) {
        slugs.forEach(slug -> page.add("<a href=\"#problem-{}\">{}</a> ", slug.asString(), slug.asString()));
    }

    private void contents(JsonNode content) {
        for (Map.Entry<String, JsonNode> each : content.properties()) {
            if (each.getValue().has("x-parley-frames")) {
                each.getValue().path("x-parley-frames").properties().forEach(frame -> {
                    page.add("frame <code>{}</code>: ", frame.getKey());
                    SchemaMarkup.type(page, frame.getValue());
                    page.add("<br>");
                });
            } else if (each.getKey().endsWith("json")) {
                SchemaMarkup.type(page, each.getValue().path("schema"));
                page.add(" ");
            } else {
                page.add("{}", each.getKey());
            }
        }
    }
}
