package dev.parley.face.docs;

import dev.parley.protocol.Problem;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The document as one page of HTML, built once. It has no script and loads nothing from other sites. */
final class DocsPage {
    private final ApiDocument document;
    private final Markup page = new Markup();

    private DocsPage(ApiDocument document) {
        this.document = document;
    }

    static String render(ApiDocument document, String style) {
        return new DocsPage(document).render(style);
    }

    private String render(String style) {
        JsonNode about = document.root().path("info");
        page.add("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
                .add("<meta name=\"color-scheme\" content=\"light dark\">\n")
                .add("<title>{} API</title>\n", about.path("title").asString());
        // The style element contains the style sheet byte for byte, because the browser accepts only a style with the
        // style sheet's hash.
        page.add("<style>" + style + "</style>\n</head>\n<body>\n");
        contents();
        page.add("<main>\n<h1>{} API</h1>\n<p>", about.path("title").asString())
                .prose(about.path("summary").asString())
                .add(" The same as a document for machines: <a href=\"openapi.yaml\">openapi.yaml</a>.</p>\n")
                .paragraphs(about.path("description").asString());
        credentials();
        operations();
        schemas();
        problems();
        return page.add("</main>\n</body>\n</html>\n").toString();
    }

    private void contents() {
        page.add("<nav aria-label=\"Contents\">\n<ul>\n<li><a href=\"#credentials\">Credentials</a></li>\n");
        for (JsonNode tag : document.root().path("tags")) {
            String name = tag.path("name").asString();
            page.add("<li><a href=\"#tag-{}\">{}</a>\n<ul>\n", name, title(name));
            document.operations()
                    .filter(operation -> isTagged(operation, name))
                    .forEach(operation -> page.add(
                            "<li><a href=\"#{}\">{}</a></li>\n",
                            operation.id(),
                            operation.node().path("summary").asString()));
            page.add("</ul></li>\n");
        }
        page.add(
                "<li><a href=\"#schemas\">Schemas</a></li>\n<li><a href=\"#problems\">Problems</a></li>\n</ul>\n</nav>\n");
    }

    private void credentials() {
        page.add("<h2 id=\"credentials\">Credentials</h2>\n<dl>\n");
        document.root()
                .path("components")
                .path("securitySchemes")
                .properties()
                .forEach(scheme -> page.add("<dt><code>{}</code></dt><dd>", scheme.getKey())
                        .prose(scheme.getValue().path("description").asString())
                        .add("</dd>\n"));
        page.add("</dl>\n");
    }

    private void operations() {
        OperationMarkup markup = new OperationMarkup(document, page);
        for (JsonNode tag : document.root().path("tags")) {
            String name = tag.path("name").asString();
            page.add("<h2 id=\"tag-{}\">{}</h2>\n", name, title(name))
                    .paragraphs(tag.path("description").asString() + ".");
            document.operations().filter(operation -> isTagged(operation, name)).forEach(markup::article);
        }
    }

    private void schemas() {
        page.add("<h2 id=\"schemas\">Schemas</h2>\n");
        document.schemas().properties().forEach(schema -> SchemaMarkup.table(page, schema.getKey(), schema.getValue()));
    }

    private void problems() {
        Map<String, JsonNode> meanings = document.problems();
        page.add("<h2 id=\"problems\">Problems</h2>\n");
        Arrays.stream(Problem.values()).forEach(problem -> {
            JsonNode meaning = meanings.get(problem.slug());
            if (meaning == null) {
                throw new IllegalStateException("The document does not explain the problem " + problem.slug() + ".");
            }
            page.add("<section class=\"problem\" id=\"problem-{}\"><h3>{}</h3>\n", problem.slug(), problem.slug())
                    .add(
                            "<p>{}. Status {}, code <code>{}</code>{}.</p>\n<dl><dt>When</dt><dd>",
                            problem.title(),
                            Integer.toString(problem.status()),
                            problem.code(),
                            problem.retryable() ? ", worth another try" : "")
                    .prose(meaning.path("when").asString())
                    .add("</dd><dt>What to do</dt><dd>")
                    .prose(meaning.path("do").asString())
                    .add("</dd></dl></section>\n");
        });
    }

    private static boolean isTagged(ApiDocument.Operation operation, String tag) {
        return operation.node().path("tags").path(0).asString("").equals(tag);
    }

    private static String title(String name) {
        return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }
}
