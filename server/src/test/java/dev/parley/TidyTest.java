package dev.parley;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Keeps sources at a size, and in a language, that a reader takes in at once. */
class TidyTest {
    private static final int MAX_FILE_LINES = 400;
    private static final int MAX_METHOD_LINES = 70;
    private static final int MAX_CONSTRUCTOR_PARAMETERS = 8;

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String SERVER = "server/src/main/java/dev/parley/";

    /** Openings that put a pronoun where the noun belongs. */
    private static final Pattern OPENING = Pattern.compile(
            "(What|Who|Whose|Whom|Whoever|Whatever|Whether|Where|How|Those|Somebody|Nobody|Anybody|Everybody|Something"
                    + "|Nothing)\\b.*",
            Pattern.DOTALL);

    /** Methods that are longer: a switch over all events, and one statement of SQL with its reader. */
    private static final Set<String> LONG_METHODS = Set.of(
            "protocol/src/main/java/dev/parley/protocol/agui/EventReader.java attributed",
            "server/src/main/java/dev/parley/log/RevisionReader.java revisionsOf");

    private static final Pattern BLOCK = Pattern.compile("/\\*\\*?(.*?)\\*/", Pattern.DOTALL);
    private static final Pattern LINES = Pattern.compile("(?m)^\\s*//(.*(?:\\n\\s*//.*)*)");
    private static final Pattern TAG = Pattern.compile("@(?:param \\S+|return) (.*?)(?= @[a-z]|$)", Pattern.DOTALL);
    private static final Pattern LOGGED = Pattern.compile("LOG\\.(?:error|warn|info|debug)\\(\\s*\"([^\"]*)");

    private static List<Source> sources = List.of();

    /** A source file as the compiler parses it. */
    private record Source(Path file, String text, CompilationUnitTree unit, SourcePositions positions) {
        String name() {
            return ROOT.relativize(file).toString();
        }

        long lines() {
            return text.lines().count();
        }

        long line(long position) {
            return Objects.requireNonNull(unit.getLineMap()).getLineNumber(position);
        }

        boolean isProduction() {
            return name().contains("/src/main/");
        }

        boolean isOfServer() {
            return name().startsWith(SERVER);
        }
    }

    @BeforeAll
    static void parse() throws IOException {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
                Stream<Path> modules = Files.list(ROOT)) {
            List<Path> paths = modules.map(module -> module.resolve("src"))
                    .filter(Files::isDirectory)
                    .flatMap(TidyTest::javaFiles)
                    .toList();
            JavacTask task = (JavacTask) compiler.getTask(
                    null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(paths));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            List<Source> parsed = new ArrayList<>();
            for (CompilationUnitTree unit : task.parse()) {
                Path file = Path.of(unit.getSourceFile().toUri());
                parsed.add(new Source(file, Files.readString(file), unit, positions));
            }
            sources = List.copyOf(parsed);
        }
        assertThat(sources).hasSizeGreaterThan(1_000);
    }

    private static Stream<Path> javaFiles(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void filesFitInTheHead() {
        assertThat(sources)
                .filteredOn(source -> source.lines() > MAX_FILE_LINES)
                .extracting(Source::name)
                .isEmpty();
    }

    @Test
    void methodsFitOnAScreen() {
        Set<String> tooLong = new TreeSet<>();
        eachMethod((source, method) -> {
            long first = source.positions().getStartPosition(source.unit(), method);
            long last = source.positions().getEndPosition(source.unit(), method);
            if (first >= 0 && last >= 0 && source.line(last) - source.line(first) >= MAX_METHOD_LINES) {
                tooLong.add(source.name() + " " + method.getName());
            }
        });

        assertThat(tooLong).isEqualTo(LONG_METHODS);
    }

    /** The components of a record are its value, so a record's constructors do not count. */
    @Test
    void constructorsTakeFewParameters() {
        Set<String> tooMany = new TreeSet<>();
        eachMethod((source, method) -> {
            if (method.getReturnType() == null && method.getParameters().size() > MAX_CONSTRUCTOR_PARAMETERS) {
                tooMany.add(source.name());
            }
        });

        assertThat(tooMany).isEmpty();
    }

    @Test
    void typesOfTheServerHaveNamesOfTheirOwn() {
        Map<String, List<String>> files = sources.stream()
                .filter(Source::isOfServer)
                .filter(source -> !source.name().endsWith("package-info.java"))
                .flatMap(source -> source.unit().getTypeDecls().stream()
                        .filter(ClassTree.class::isInstance)
                        .map(type ->
                                Map.entry(((ClassTree) type).getSimpleName().toString(), source.name())))
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, TreeMap::new, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));

        assertThat(files.entrySet())
                .filteredOn(each -> each.getValue().size() > 1)
                .isEmpty();
    }

    @Test
    void commentsAndLogLinesBeginWithTheirSubject() {
        List<String> refused = sources.stream()
                .flatMap(source -> sentences(source.text())
                        .filter(sentence -> OPENING.matcher(sentence).matches())
                        .map(sentence -> source.name() + ": " + sentence))
                .sorted()
                .toList();

        assertThat(refused).isEmpty();
    }

    /** The beginnings of comments, of the tags in them, and of log lines. */
    private static Stream<String> sentences(String text) {
        Stream<String> comments =
                Stream.of(BLOCK, LINES).flatMap(kind -> found(kind, text)).map(TidyTest::flat);
        Stream<String> withTags = comments.flatMap(comment -> Stream.concat(Stream.of(comment), found(TAG, comment)));
        return Stream.concat(withTags, found(LOGGED, text));
    }

    private static Stream<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map((MatchResult match) -> match.group(1));
    }

    private static String flat(String comment) {
        return comment.lines()
                .map(line -> line.strip().replaceFirst("^(\\*|//)\\s?", ""))
                .collect(Collectors.joining(" "))
                .strip();
    }

    /** Every method and constructor of production code; constructors of records apart. */
    private static void eachMethod(BiConsumer<Source, MethodTree> visitor) {
        for (Source source : sources) {
            if (source.isProduction()) {
                new Methods(source, visitor).scan((Tree) source.unit(), null);
            }
        }
    }

    /** Walks the methods of a source. */
    private static final class Methods extends TreeScanner<Void, Void> {
        private final Source source;
        private final BiConsumer<Source, MethodTree> visitor;
        private boolean inRecord;

        Methods(Source source, BiConsumer<Source, MethodTree> visitor) {
            this.source = source;
            this.visitor = visitor;
        }

        @Override
        public Void visitClass(ClassTree type, Void context) {
            boolean around = inRecord;
            inRecord = type.getKind() == Tree.Kind.RECORD;
            super.visitClass(type, null);
            inRecord = around;
            return null;
        }

        @Override
        public Void visitMethod(MethodTree method, Void context) {
            if (!inRecord || method.getReturnType() != null) {
                visitor.accept(source, method);
            }
            return super.visitMethod(method, null);
        }
    }
}
