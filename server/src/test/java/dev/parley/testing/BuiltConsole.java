package dev.parley.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The built console on the class path, which tests need: without it they fail with the reason. */
public final class BuiltConsole {
    private BuiltConsole() {}

    /** The names of all files, such as index.html and console/icon.svg. */
    public static List<String> files() {
        return new String(read("files.txt"), StandardCharsets.UTF_8).lines().toList();
    }

    /** The bytes of a file, or of its compressed twin such as index.html.br. */
    public static byte[] read(String name) {
        try (InputStream in = BuiltConsole.class.getResourceAsStream("/web/" + name)) {
            if (in == null) {
                throw new AssertionError(
                        "There is no web/" + name + " on the class path: the module console was not built,"
                                + " for which this machine needs Node.js 20.19, or 22.12 or later, with npm.");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static String anyScript() {
        return files().stream()
                .filter(name -> name.endsWith(".js"))
                .map(name -> name.substring("console/".length()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("The built console has no script."));
    }
}
