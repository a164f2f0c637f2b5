package dev.parley.app.config;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/** Parses a YAML file. */
final class YamlFile {
    private YamlFile() {}

    /**
     * The root of a file; null if the file is empty.
     *
     * @param kind the name of the file in error messages
     */
    static @Nullable Node parse(Path file, String kind) {
        String text;
        try {
            text = Files.readString(file);
        } catch (IOException e) {
            String why = Files.exists(file) ? "cannot be read" : "does not exist";
            throw new ConfigException("The " + kind + " " + file.toAbsolutePath() + " " + why + ".");
        }
        try {
            return new Yaml(new SafeConstructor(new LoaderOptions())).compose(new StringReader(text));
        } catch (MarkedYAMLException e) {
            // The parser's own message quotes the file, which may hold secrets.
            String line = e.getProblemMark() == null
                    ? ""
                    : " in line " + (e.getProblemMark().getLine() + 1);
            throw new ConfigException(
                    "The " + kind + " " + file + " is not valid YAML" + line + ": " + e.getProblem() + ".");
        } catch (YAMLException e) {
            throw new ConfigException("The " + kind + " " + file + " is not valid YAML.");
        }
    }
}
