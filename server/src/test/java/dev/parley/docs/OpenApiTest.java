package dev.parley.docs;

import static dev.parley.docs.OpenApi.DOCUMENT;
import static dev.parley.docs.OpenApi.names;
import static dev.parley.docs.OpenApi.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.face.docs.ApiDocument;
import dev.parley.http.RouteKey;
import dev.parley.protocol.Problem;
import dev.parley.testing.ApiSchemas;
import dev.parley.testing.Platforms;
import dev.parley.testing.RunningServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** The API document describes every route, operation, parameter and problem. */
class OpenApiTest {
    private static final ApiSchemas SCHEMAS = new ApiSchemas(DOCUMENT);
    private static final List<String> SCOPES = List.of("observe", "speak", "run", "manage_thread");

    static Stream<ApiDocument.Operation> operations() {
        return DOCUMENT.operations();
    }

    @Test
    void everyRouteIsDescribedAndEveryDescriptionHasItsRoute() {
        try (RunningServer server = RunningServer.start(Platforms.flags(UUID.randomUUID()))) {
            assertThat(operations().map(OpenApiTest::route))
                    .containsExactlyInAnyOrderElementsOf(server.server().routes());
        }
    }

    /** OpenAPI has no template for several segments: x-parley-slashes marks a parameter that takes them. */
    private static RouteKey route(ApiDocument.Operation operation) {
        String path = operation.path();
        for (JsonNode each : operation.node().path("parameters")) {
            JsonNode parameter = DOCUMENT.resolve(each);
            if (parameter.path("x-parley-slashes").asBoolean(false)) {
                String name = parameter.path("name").asString();
                path = path.replace("{" + name + "}", "{" + name + "...}");
            }
        }
        return new RouteKey(operation.method().toUpperCase(Locale.ROOT), path);
    }

    /** Generators read a template's name as an identifier. */
    @ParameterizedTest
    @MethodSource("operations")
    void everyPathIsAnOpenApiTemplate(ApiDocument.Operation operation) {
        assertThat(operation.path()).matches("(/([A-Za-z0-9._-]+|\\{[A-Za-z_]+}))+|/");
    }

    @ParameterizedTest
    @MethodSource("operations")
    void everyOperationHasItsSummaryTagAndCallers(ApiDocument.Operation operation) {
        JsonNode node = operation.node();
        Set<String> callers = texts(node.path("x-parley-callers"));
        Set<String> tags = DOCUMENT.root()
                .path("tags")
                .valueStream()
                .map(tag -> tag.path("name").asString())
                .collect(Collectors.toSet());

        assertThat(node.path("summary").asString("")).isNotBlank();
        assertThat(tags).contains(node.path("tags").path(0).asString(""));
        assertThat(callers)
                .isNotEmpty()
                .isSubsetOf("user", "agent", "integration", "operator", "anyone", "platform", "local");
        Set<String> schemes = node.path("security")
                .valueStream()
                .flatMap(scheme -> names(scheme).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        schemes.remove("streamTicket");
        assertThat(schemes)
                .isEqualTo(
                        callers.stream().flatMap(OpenApiTest::scheme).collect(Collectors.toCollection(TreeSet::new)));
        assertThat(operation.scopes()).isSubsetOf(SCOPES).doesNotHaveDuplicates();
        JsonNode bodyMembers = DOCUMENT.resolve(node.at("/requestBody/content/application~1json/schema"))
                .path("properties");
        node.path("x-parley-scope-with").properties().forEach(each -> {
            assertThat(names(bodyMembers)).contains(each.getKey());
            assertThat(SCOPES).contains(each.getValue().asString());
        });
    }

    private static Stream<String> scheme(String caller) {
        return switch (caller) {
            case "user", "operator" -> Stream.of("userToken");
            case "agent" -> Stream.of("agentToken");
            case "integration" -> Stream.of("integrationKey");
            default -> Stream.empty();
        };
    }

    @ParameterizedTest
    @MethodSource("operations")
    void everyParameterOfAPathIsDescribedWithAnExample(ApiDocument.Operation operation) {
        List<JsonNode> parameters = operation
                .node()
                .path("parameters")
                .valueStream()
                .map(DOCUMENT::resolve)
                .toList();

        assertThat(parameters.stream()
                        .filter(each -> each.path("in").asString().equals("path"))
                        .map(each -> "{" + each.path("name").asString() + "}"))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(operation.path().split("/"))
                                .filter(segment -> segment.startsWith("{"))
                                .toList());
        assertThat(parameters)
                .allSatisfy(each -> assertThat(SCHEMAS.faults(each.path("schema"), each.path("example")))
                        .isEmpty());
    }

    @ParameterizedTest
    @MethodSource("operations")
    void examplesFitTheirSchemas(ApiDocument.Operation operation) {
        List<JsonNode> contents = new ArrayList<>();
        operation.node().path("requestBody").path("content").forEach(contents::add);
        operation
                .node()
                .path("responses")
                .forEach(response -> DOCUMENT.resolve(response).path("content").forEach(contents::add));

        assertThat(contents.stream().filter(content -> content.has("example")))
                .allSatisfy(content -> assertThat(SCHEMAS.faults(content.path("schema"), content.path("example")))
                        .isEmpty());
        assertThat(operation.node().path("requestBody").path("content").propertyStream())
                .allSatisfy(
                        content -> assertThat(content.getValue().has("example")).isTrue());
    }

    @Test
    void problemsHaveTheStatusTheyAreListedUnder() {
        assertThat(operations())
                .allSatisfy(operation -> operation
                        .node()
                        .path("responses")
                        .properties()
                        .forEach(each -> DOCUMENT.resolve(each.getValue())
                                .path("x-parley-problems")
                                .forEach(slug -> assertThat(
                                                problem(slug.asString()).status())
                                        .as(operation.id() + " " + slug)
                                        .isEqualTo(Integer.parseInt(each.getKey())))));
    }

    /** No operation answers 405: it is the answer to a method without an operation. */
    @Test
    void everyOtherProblemIsListedByAnOperation() {
        Set<String> expected = operations()
                .flatMap(operation -> operation.node().path("responses").valueStream())
                .flatMap(response -> texts(DOCUMENT.resolve(response).path("x-parley-problems")).stream())
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(expected)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Problem.values())
                        .filter(problem -> problem != Problem.METHOD_NOT_ALLOWED)
                        .map(Problem::slug)
                        .toList());
    }

    private static Problem problem(String slug) {
        return Arrays.stream(Problem.values())
                .filter(each -> each.slug().equals(slug))
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no problem " + slug));
    }

    @Test
    void problemsAreExplainedInTheWordsOfTheirPage() {
        List<List<String>> explained = DOCUMENT.problems().entrySet().stream()
                .map(each -> List.of(
                        each.getKey(),
                        each.getValue().path("when").asString(),
                        each.getValue().path("do").asString()))
                .toList();

        assertThat(explained)
                .containsExactlyInAnyOrderElementsOf(Page.of("docs/use/problems.md").rows().stream()
                        .filter(row -> row.size() == 5 && !row.getFirst().equals("slug"))
                        .map(row -> List.of(row.get(0), row.get(3), row.get(4)))
                        .toList());
    }

    @Test
    void everyReferenceHasItsComponentAndEveryComponentIsUsed() {
        Set<String> used = new TreeSet<>();
        collectReferences(DOCUMENT.root(), used);
        Set<String> components = new TreeSet<>();
        for (String kind : List.of("schemas", "parameters", "responses")) {
            names(DOCUMENT.root().path("components").path(kind))
                    .forEach(name -> components.add("#/components/" + kind + "/" + name));
        }

        assertThat(used).isEqualTo(components);
    }

    private static void collectReferences(JsonNode node, Set<String> found) {
        String ref = node.path("$ref").asString("");
        if (!ref.isEmpty()) {
            found.add(ref);
        }
        node.forEach(each -> collectReferences(each, found));
    }

    @Test
    void operationsHaveUniqueNames() {
        assertThat(operations().map(ApiDocument.Operation::id))
                .doesNotHaveDuplicates()
                .doesNotContain("");
    }
}
