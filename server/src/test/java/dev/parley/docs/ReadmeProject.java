package dev.parley.docs;

import dev.parley.testkit.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A folder in which the README's commands run: the real start script with a Maven that hands over the classes of this
 * build instead of compiling again. The caller's environment does not reach it.
 */
final class ReadmeProject {
    private final Path root;
    private final Path home;

    ReadmeProject(Path folder) throws IOException {
        root = Files.createDirectories(folder.resolve("project")).toRealPath();
        home = Files.createDirectories(folder.resolve("home")).toRealPath();
        executable(root.resolve("parley"), Files.readString(Page.ROOT.resolve("parley")));
        copy("scripts");
        copy(".mvn/wrapper");
        Files.writeString(root.resolve("pom.xml"), "<project/>");
        writeJar(home.resolve("server.jar"));
        executable(home.resolve("bin/mvn"), """
                #!/usr/bin/env bash
                if [ "$1" = --version ]; then
                    echo 'Apache Maven 3.9.99'
                    exit 0
                fi
                mkdir -p server/target/lib
                cp "$HOME/server.jar" server/target/parley-server.jar
                """);
    }

    private void copy(String folder) throws IOException {
        Files.createDirectories(root.resolve(folder));
        try (Stream<Path> files = Files.list(Page.ROOT.resolve(folder))) {
            for (Path file : files.toList()) {
                Files.copy(file, root.resolve(folder).resolve(file.getFileName()));
            }
        }
    }

    /** Starts a command here, with settings as environment. */
    ChildProcess start(List<String> settings, List<String> command) throws IOException {
        List<String> all = new ArrayList<>(List.of(
                "env",
                "-i",
                "HOME=" + home,
                "PATH=" + home.resolve("bin") + ":" + System.getenv("PATH"),
                "PARLEY_JAVA_HOME=" + System.getProperty("java.home"),
                // The server lives for a minute: full compilation would take longer than it saves.
                "PARLEY_JAVA_OPTS=-XX:TieredStopAtLevel=1",
                // A rehearsal needs jars, and this folder has none.
                "PARLEY_REHEARSAL=off"));
        all.addAll(settings);
        all.addAll(command);
        return ChildProcess.start(root, Map.of(), all);
    }

    /** Writes a jar with only the class path of this build and its libraries. */
    private static void writeJar(Path jar) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes()
                .put(
                        Attributes.Name.CLASS_PATH,
                        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                                .filter(entry -> !entry.endsWith("test-classes"))
                                .map(entry -> Path.of(entry).toUri().toString())
                                .collect(Collectors.joining(" ")));
        try (OutputStream file = Files.newOutputStream(jar)) {
            new JarOutputStream(file, manifest).close();
        }
    }

    private static void executable(Path file, String script) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, script);
        if (!file.toFile().setExecutable(true)) {
            throw new IOException("Could not make " + file + " executable");
        }
    }
}
