package dev.parley.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A folder with a package.json whose scripts the tests run with the machine's node. Its packages are installed once for
 * each content of its files, under target/, in the versions of {@link NodeVersions}.
 */
public final class NodeProject {
    private static final Duration INSTALLING = Duration.ofMinutes(5);
    private static final Path CLIENTS = Path.of("..", "clients");
    /** Generated folders. */
    private static final Set<String> MADE = Set.of("node_modules", "dist");

    private static final String INSTALLED = "installed";

    private final Path folder;
    private final NodeVersions versions;

    private NodeProject(Path folder, NodeVersions versions) {
        this.folder = folder;
        this.versions = versions;
    }

    /** A folder of clients/conformance with the first of its versions. */
    public static NodeProject installed(String name) {
        return everyVersion(name).getFirst();
    }

    /** A folder of clients/conformance with each of its tested versions. */
    public static List<NodeProject> everyVersion(String name) {
        Path source = CLIENTS.resolve("conformance").resolve(name);
        return NodeVersions.of(source).stream()
                .map(versions -> installed(source, versions))
                .toList();
    }

    /** The project's own client, compiled. */
    public static NodeProject typescript() {
        return installed(CLIENTS.resolve("typescript"));
    }

    /** A folder of examples/, built. */
    public static NodeProject example(String name) {
        return installed(Path.of("..", "examples", name));
    }

    /** The linters for files that no test understands well enough. */
    public static NodeProject linters() {
        return installed(Path.of("src", "test", "lint"));
    }

    private static NodeProject installed(Path source) {
        return installed(source, NodeVersions.PINNED);
    }

    private static NodeProject installed(Path source, NodeVersions versions) {
        try {
            String name = source.getFileName().toString();
            List<Path> files = files(source);
            Path home = Files.createDirectories(Path.of("target", "node"));
            Path folder =
                    home.resolve(name + "-" + label(versions, source, files)).toAbsolutePath();
            // Several JVMs may run tests at once, in the same folder.
            try (FileChannel channel = FileChannel.open(
                            home.resolve(name + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                if (!lock.isValid()) {
                    throw new IllegalStateException("The folder of packages cannot be locked.");
                }
                if (!Files.exists(folder.resolve(INSTALLED))) {
                    install(source, files, folder, versions);
                }
            }
            return new NodeProject(folder, versions);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The start script removes the folders of the latest versions before it uses them. */
    private static String label(NodeVersions versions, Path source, List<Path> files) throws IOException {
        String name = versions.name().toLowerCase(Locale.ROOT);
        return versions == NodeVersions.LATEST ? name : name + "-" + hash(source, files);
    }

    private static void install(Path source, List<Path> files, Path folder, NodeVersions versions) throws IOException {
        for (Path file : files) {
            if (!NodeVersions.isPinsOfNewest(source, file)) {
                Path copy = folder.resolve(source.relativize(file));
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
            }
        }
        List<String> npm = new ArrayList<>(List.of(program("npm")));
        npm.addAll(versions.layInto(source, folder, name -> latest(folder, name)));
        npm.addAll(List.of("--ignore-scripts", "--no-audit", "--no-fund"));
        mustRun(folder, npm.toArray(String[]::new));
        mustRun(folder, program("npm"), "run", "build", "--if-present");
        versions.noteInstalled(folder);
        Files.createFile(folder.resolve(INSTALLED));
    }

    private static Output mustRun(Path folder, String... command) throws IOException {
        Output output = run(folder, INSTALLING, Map.of(), command);
        if (output.exit() != 0) {
            throw new AssertionError(String.join(" ", command) + " failed in " + folder + ":\n" + output.text());
        }
        return output;
    }

    /** The latest version of a package in the registry. */
    private static String latest(Path folder, String name) {
        try {
            Output output = mustRun(folder, program("npm"), "view", name + "@latest", "version");
            // Warnings of npm appear among the lines.
            return output.lines().stream()
                    .filter(line -> line.matches("[0-9]+[.][0-9]+[.][0-9]+[-+.0-9A-Za-z]*"))
                    .reduce((first, second) -> second)
                    .orElseThrow(() -> new AssertionError("npm reports no version of " + name + ":\n" + output.text()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> files(Path source) throws IOException {
        try (Stream<Path> all = Files.walk(source)) {
            return all.filter(Files::isRegularFile)
                    .filter(file ->
                            !MADE.contains(source.relativize(file).getName(0).toString()))
                    .sorted()
                    .toList();
        }
    }

    private static String hash(Path source, List<Path> files) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path file : files) {
                digest.update(source.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
                digest.update(Files.readAllBytes(file));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The output of a program, and its exit status. */
    public record Output(int exit, String text) {
        public List<String> lines() {
            return text.lines().toList();
        }
    }

    /** A file of an installed package. */
    public String read(String path) {
        try {
            return Files.readString(folder.resolve("node_modules").resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The name of its versions: pinned, newest or latest. */
    public String versions() {
        return versions.name().toLowerCase(Locale.ROOT);
    }

    /** The folder of the installation, for tests that start its programs themselves. */
    public Path folder() {
        return folder;
    }

    /** The machine's node. */
    public static String node() {
        return program("node");
    }

    /** Runs a script of the folder to its end. */
    public Output run(String script, Duration limit, Map<String, String> environment) {
        try {
            return run(folder, limit, environment, program("node"), script);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs the tests in a part of the folder. */
    public Output runTests(String part, Duration limit, Map<String, String> environment) {
        try {
            return run(folder, limit, environment, program("node"), "--test", part);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Output run(Path folder, Duration limit, Map<String, String> environment, String... command)
            throws IOException {
        Path printed = Files.createTempFile(folder, "said", ".txt");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError(
                        String.join(" ", command) + " did not end within " + limit + ":\n" + Files.readString(printed));
            }
            return new Output(process.exitValue(), Files.readString(printed));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            Files.deleteIfExists(printed);
        }
    }

    private static String program(String name) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElseThrow(() -> new AssertionError("There is no " + name
                        + " on the PATH. The tests with real clients need Node.js 20 or later with npm; install it."));
    }
}
