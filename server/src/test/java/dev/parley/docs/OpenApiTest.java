package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.parley.face.docs.ApiDocument;
import dev.parley.http.RouteKey;
import dev.parley.protocol.Problem;
import dev.parley.protocol.agui.ContentPart;
import dev.parley.protocol.agui.Context;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.ResumeEntry;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.protocol.agui.Tool;
import dev.parley.protocol.agui.ToolCall;
import dev.parley.testing.ApiSchemas;
import dev.parley.testing.Platforms;
import dev.parley.testing.RunningServer;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.annotation.JsonNaming;

/** The document and the code say the same. */
class OpenApiTest {
    private static final ApiDocument DOCUMENT = ApiDocument.load();
    private static final ApiSchemas SCHEMAS = new ApiSchemas(DOCUMENT);

    private static final List<String> SCOPES = List.of("observe", "speak", "run", "manage_thread");

    /** Schemas of what is not a record of the wire. */
    private static final Set<String> NO_RECORDS = Set.of(
            "Actor",
            "AguiEvent",
            "AguiProblem",
            "AguiRuntime",
            "AgnoMessage",
            "AppendedChatEvents",
            "Bucket",
            "ChatEvent",
            "ChatEventImport",
            "ChatEventPage",
            "FieldError",
            "HistoryMessage",
            "IngestMetadata",
            "Liveness",
            "MediaSource",
            "NewChatEvent",
            "NewChatEvents",
            "ObjectEntry",
            "ObjectFacts",
            "Problem",
            "Readiness",
            "ResentInput",
            "RunWishes",
            "StaleProblem",
            "StopAnswer",
            "StopRequest",
            "StorageProblem",
            "StoredKey",
            "Typing",
            "UiAction",
            "UiNode");

    /** Schemas of what AG-UI defines; its records are more than these, and have names of their own. */
    private static final Map<String, Class<?>> AGUI = Map.ofEntries(
            Map.entry("RunAgentInput", RunAgentInput.class),
            Map.entry("UserMessage", Message.User.class),
            Map.entry("AssistantMessage", Message.Assistant.class),
            Map.entry("ToolMessage", Message.Tool.class),
            Map.entry("SystemMessage", Message.SystemPrompt.class),
            Map.entry("DeveloperMessage", Message.Developer.class),
            Map.entry("ReasoningMessage", Message.Reasoning.class),
            Map.entry("ActivityMessage", Message.Activity.class),
            Map.entry("TextPart", ContentPart.Text.class),
            Map.entry("BinaryPart", ContentPart.Binary.class),
            Map.entry("MediaPart", ContentPart.Media.class),
            Map.entry("ToolCall", ToolCall.class),
            Map.entry("ToolFunction", ToolCall.Function.class),
            Map.entry("Tool", Tool.class),
            Map.entry("Context", Context.class),
            Map.entry("ResumeEntry", ResumeEntry.class));

    /** What all of a kind have in common is no component of their records. */
    private static final Set<String> KIND_OF_AGUI = Set.of("role", "type");

    static Stream<ApiDocument.Operation> operations() {
        return DOCUMENT.operations();
    }

    static Stream<Class<?>> wireRecords() {
        return new ClassFileImporter()
                        .importPackages(
                                "dev.parley.protocol.chat",
                                "dev.parley.protocol.agent",
                                "dev.parley.protocol.ingest",
                                "dev.parley.protocol.sessions")
                        .stream()
                        .filter(JavaClass::isRecord)
                        .sorted((a, b) -> a.getName().compareTo(b.getName()))
                        .map(JavaClass::reflect);
    }

    @Test
    void everyRouteIsDescribedAndEveryDescriptionHasItsRoute() {
        try (RunningServer server = RunningServer.start(Platforms.flags(UUID.randomUUID()))) {
            assertThat(operations().map(OpenApiTest::route))
                    .containsExactlyInAnyOrderElementsOf(server.server().routes());
        }
    }

    /** OpenAPI has no template for several segments: a parameter that takes them says so beside its name. */
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
    void everyPathIsATemplateOfOpenApi(ApiDocument.Operation operation) {
        assertThat(operation.path()).matches("(/([A-Za-z0-9._-]+|\\{[A-Za-z_]+}))+|/");
    }

    @ParameterizedTest
    @MethodSource("wireRecords")
    void everyWireRecordHasTheMembersOfItsSchema(Class<?> type) {
        JsonNode schema = DOCUMENT.schemas().path(type.getSimpleName());

        assertThat(names(schema.path("properties"))).isNotEmpty().isEqualTo(members(type));
    }

    static Stream<Arguments> aguiSchemas() {
        return AGUI.entrySet().stream().map(each -> Arguments.of(each.getKey(), each.getValue()));
    }

    @ParameterizedTest
    @MethodSource("aguiSchemas")
    void everyRecordOfAguiHasTheMembersOfItsSchema(String name, Class<?> type) {
        Set<String> described = names(DOCUMENT.schemas().path(name).path("properties"));
        described.removeAll(KIND_OF_AGUI);

        assertThat(described).isEqualTo(members(type));
    }

    @Test
    void everySchemaHasItsRecord() {
        Set<String> records = wireRecords().map(Class::getSimpleName).collect(Collectors.toCollection(TreeSet::new));
        records.addAll(NO_RECORDS);
        records.addAll(AGUI.keySet());

        assertThat(names(DOCUMENT.schemas())).isEqualTo(records);
    }

    /** What answers carry is written, null or not, so clients may rely on it; unless its record says otherwise. */
    @Test
    void answersLeaveNoMemberOut() {
        Set<String> answered = new HashSet<>();
        operations()
                .flatMap(operation -> operation.node().path("responses").valueStream())
                .forEach(response -> collect(response, answered));

        Map<String, Class<?>> records =
                wireRecords().collect(Collectors.toMap(Class::getSimpleName, type -> (Class<?>) type));
        assertThat(answered)
                .contains("ThreadView", "Message", "EventEnvelope", "Reaction", "RunView")
                .filteredOn(name -> !Set.of("Problem", "StaleProblem", "StorageProblem", "Actor", "AguiEvent")
                        .contains(name))
                .allSatisfy(name -> {
                    JsonNode schema = DOCUMENT.schemas().path(name);
                    Set<String> always = names(schema.path("properties"));
                    always.removeAll(leftOutIfNull(records.get(name)));
                    assertThat(texts(schema.path("required"))).isEqualTo(always);
                });
    }

    private static Set<String> leftOutIfNull(@Nullable Class<?> type) {
        Set<String> members = new HashSet<>();
        if (type != null) {
            for (RecordComponent component : type.getRecordComponents()) {
                if (component.getAccessor().isAnnotationPresent(JsonInclude.class)) {
                    members.add(wireName(type, component));
                }
            }
        }
        return members;
    }

    private static void collect(JsonNode node, Set<String> found) {
        String ref = node.path("$ref").asString("");
        if (ref.startsWith("#/components/schemas/")) {
            String name = ref.substring(ref.lastIndexOf('/') + 1);
            if (found.add(name)) {
                collect(DOCUMENT.schemas().path(name), found);
            }
        }
        node.forEach(each -> collect(each, found));
    }

    @ParameterizedTest
    @MethodSource("operations")
    void everyOperationSaysWhatItIsAndWhoMayCallIt(ApiDocument.Operation operation) {
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
    void problemsHaveTheStatusUnderWhichTheyAreListed() {
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

    /** An operation that exists takes its own method, so nothing answers 405. */
    @Test
    void everyOtherProblemIsExpectedSomewhere() {
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
    void everyProblemIsExplainedInTheSameWordsAsOnItsPage() {
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
    void everyReferenceLeadsSomewhereAndEveryComponentIsUsed() {
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
    void operationsHaveNamesOfTheirOwn() {
        assertThat(operations().map(ApiDocument.Operation::id))
                .doesNotHaveDuplicates()
                .doesNotContain("");
    }

    private static Set<String> members(Class<?> type) {
        Set<String> members = new TreeSet<>();
        for (Class<?> kind : type.getInterfaces()) {
            if (kind.isAnnotationPresent(JsonTypeInfo.class)) {
                members.add(kind.getAnnotation(JsonTypeInfo.class).property());
            }
        }
        for (RecordComponent component : type.getRecordComponents()) {
            if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
                members.addAll(members(component.getType()));
            } else if (!component.getAccessor().isAnnotationPresent(JsonIgnore.class)) {
                members.add(wireName(type, component));
            }
        }
        return members;
    }

    private static String wireName(Class<?> type, RecordComponent component) {
        if (component.getAccessor().isAnnotationPresent(JsonProperty.class)) {
            return component.getAccessor().getAnnotation(JsonProperty.class).value();
        }
        return type.isAnnotationPresent(JsonNaming.class)
                ? component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT)
                : component.getName();
    }

    private static Set<String> names(JsonNode object) {
        return new TreeSet<>(object.propertyNames());
    }

    private static Set<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asString).collect(Collectors.toCollection(TreeSet::new));
    }
}
