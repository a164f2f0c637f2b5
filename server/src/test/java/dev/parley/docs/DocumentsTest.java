package dev.parley.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentsTest {
    private static final Pattern CLASS_NAME = Pattern.compile("[A-Z][a-z]+[A-Za-z]*");
    private static final List<String> README_FILES = List.of(
            "clients/README.md",
            "clients/python/README.md",
            "clients/typescript/README.md",
            "console/README.md",
            "examples/agui-page/README.md",
            "examples/copilotkit-page/README.md",
            "examples/langgraph-agent/README.md",
            "examples/sdk-page/README.md");
    private static final Path SERVER = Path.of("src/main/java/dev/parley");

    static List<Path> documents() throws IOException {
        try (Stream<Path> top = Files.list(Page.ROOT);
                Stream<Path> docs = Files.walk(Page.ROOT.resolve("docs"))) {
            return Stream.of(top, docs, README_FILES.stream().map(Page.ROOT::resolve))
                    .flatMap(each -> each)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("documents")
    void linksLeadToFilesAndHeadings(Path document) {
        assertThat(Page.read(document).links())
                .filteredOn(link -> !link.contains("://"))
                .allSatisfy(link -> {
                    String[] parts = link.split("#", 2);
                    Path target = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]);
                    assertThat(target).exists();
                    if (parts.length > 1) {
                        assertThat(Page.read(target).anchors()).contains(parts[1]);
                    }
                });
    }

    @Test
    void indexLeadsToEveryDocument() throws IOException {
        Path index = Page.ROOT.resolve("docs/index.md");
        Set<Path> linked = Page.read(index).links().stream()
                .map(link -> index.resolveSibling(link).normalize())
                .collect(Collectors.toSet());

        assertThat(Page.of("README.md").links()).contains("docs/index.md");
        assertThat(documents())
                .filteredOn(file -> !file.endsWith("README.md") && !file.equals(index))
                .isNotEmpty()
                .allSatisfy(file -> assertThat(linked).contains(file));
    }

    /** Readers take in both in one sitting; longer text belongs to the pages of docs. */
    @Test
    void readmeAndRationaleStayShort() {
        assertThat(Page.of("README.md").text().lines().count()).isLessThanOrEqualTo(120);
        assertThat(Page.of("RATIONALE.md").text().getBytes(StandardCharsets.UTF_8))
                .hasSizeLessThanOrEqualTo(12 * 1024);
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/develop/architecture.md", "docs/develop/log.md"})
    void namedClassesExist(String path) throws IOException {
        Set<String> sources = javaSources();

        assertThat(Page.of(path).codeWords())
                .filteredOn(word -> CLASS_NAME.matcher(word).matches())
                .isNotEmpty()
                .allSatisfy(word -> assertThat(sources).contains(word));
    }

    @Test
    void packageTableMatchesSourceTree() throws IOException {
        Set<String> listed = Page.of("docs/develop/architecture.md").rows().stream()
                .map(List::getFirst)
                .filter(name -> name.matches("[a-z.]+") && !name.equals("package"))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(listed).isEqualTo(packages());
    }

    /** The packages of the server; inner packages of a listed one, such as app.config, belong to it. */
    private static Set<String> packages() throws IOException {
        try (Stream<Path> folders = Files.list(SERVER);
                Stream<Path> faces = Files.list(SERVER.resolve("face"))) {
            return Stream.concat(folders.filter(folder -> !folder.endsWith("face")), faces)
                    .filter(Files::isDirectory)
                    .map(folder -> SERVER.relativize(folder).toString().replace('/', '.'))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static Set<String> javaSources() throws IOException {
        Set<String> names = new TreeSet<>();
        for (String module : List.of("protocol", "postgres", "sdk", "testkit", "server", "bench")) {
            try (Stream<Path> files = Files.walk(Page.ROOT.resolve(module).resolve("src"))) {
                files.map(file -> file.getFileName().toString())
                        .filter(name -> name.endsWith(".java"))
                        .forEach(name -> names.add(name.substring(0, name.length() - ".java".length())));
            }
        }
        return names;
    }
}
