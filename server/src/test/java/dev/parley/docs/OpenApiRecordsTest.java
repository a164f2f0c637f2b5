package dev.parley.docs;

import static dev.parley.docs.OpenApi.DOCUMENT;
import static dev.parley.docs.OpenApi.names;
import static dev.parley.docs.OpenApi.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.parley.protocol.agui.ContentPart;
import dev.parley.protocol.agui.Context;
import dev.parley.protocol.agui.Message;
import dev.parley.protocol.agui.ResumeEntry;
import dev.parley.protocol.agui.RunAgentInput;
import dev.parley.protocol.agui.Tool;
import dev.parley.protocol.agui.ToolCall;
import java.lang.reflect.RecordComponent;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.annotation.JsonNaming;

/** The schemas of the API document have the members of the wire records. */
class OpenApiRecordsTest {
    /** Schemas without a wire record. */
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

    /** Schemas of AG-UI and their records; most records have another name. */
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

    /** Members that name the kind; the records have no component for them. */
    private static final Set<String> KIND_OF_AGUI = Set.of("role", "type");

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
    void everyAguiRecordHasTheMembersOfItsSchema(String name, Class<?> type) {
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

    /** Answers write every member, null or not, so clients may rely on it; the record marks each exception. */
    @Test
    void answersLeaveNoMemberOut() {
        Set<String> answered = new HashSet<>();
        DOCUMENT.operations()
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
}
