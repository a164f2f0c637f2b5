package dev.parley.testing;

import dev.parley.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/** The versions of published packages that a folder's scripts run with. */
enum NodeVersions {
    /** The versions in the folder's own lock file. */
    PINNED,
    /** The versions in the lock file in the folder's folder {@code newest}: the newest on the day of that file. */
    NEWEST,
    /** The newest versions in the registry now. They are not locked, so only {@code ./parley test-latest} uses them. */
    LATEST;

    private static final String PACKAGE = "package.json";
    private static final List<String> PINS = List.of(PACKAGE, "package-lock.json");

    /** The versions that a folder is tested with. */
    static List<NodeVersions> of(Path source) {
        if (LATEST.name().toLowerCase(Locale.ROOT).equals(System.getenv("PARLEY_CLIENTS"))) {
            return List.of(LATEST);
        }
        return Files.isDirectory(NEWEST.pins(source)) ? List.of(PINNED, NEWEST) : List.of(PINNED);
    }

    /** The folder that holds the pins. */
    Path pins(Path source) {
        return this == NEWEST ? source.resolve("newest") : source;
    }

    /** True if a folder's file belongs to other versions. */
    static boolean isPinsOfNewest(Path source, Path file) {
        return file.startsWith(NEWEST.pins(source));
    }

    /**
     * Copies these pins into a copy of the folder, and returns the arguments of npm's installation.
     *
     * @param latest the latest version of a package in the registry
     */
    List<String> layInto(Path source, Path copy, UnaryOperator<String> latest) throws IOException {
        for (String pin : PINS) {
            Files.copy(pins(source).resolve(pin), copy.resolve(pin), StandardCopyOption.REPLACE_EXISTING);
        }
        if (this != LATEST) {
            return List.of("ci");
        }
        ObjectNode manifest = (ObjectNode) Json.MAPPER.readTree(Files.readString(copy.resolve(PACKAGE)));
        ObjectNode dependencies = manifest.withObject("dependencies");
        for (String name : List.copyOf(dependencies.propertyNames())) {
            // An alias is an older version on purpose. For the other packages npm would take an older version that one
            // of them asks for, unless it gets the exact one.
            if (!dependencies.get(name).asString().startsWith("npm:")) {
                dependencies.put(name, latest.apply(name));
            }
        }
        Files.writeString(copy.resolve(PACKAGE), Json.MAPPER.writeValueAsString(manifest));
        Files.delete(copy.resolve("package-lock.json"));
        return List.of("install", "--no-package-lock");
    }

    /** Writes the installed versions, one {@code name version} per line, for the table of the start script. */
    void noteInstalled(Path copy) throws IOException {
        if (this == LATEST) {
            String found = Json.MAPPER
                    .readTree(Files.readString(copy.resolve(PACKAGE)))
                    .path("dependencies")
                    .propertyNames()
                    .stream()
                    .map(name ->
                            name + " " + version(copy.resolve("node_modules").resolve(name)) + "\n")
                    .collect(Collectors.joining());
            Files.writeString(copy.resolve("versions"), found);
        }
    }

    private static String version(Path installed) {
        try {
            return Json.MAPPER
                    .readTree(Files.readString(installed.resolve(PACKAGE)))
                    .path("version")
                    .asString();
        } catch (IOException unreadable) {
            return "unknown";
        }
    }
}
