package dev.parley.app.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Reads the YAML file of settings. Nested keys are joined by hyphens and lists by commas. Scalars are taken as written,
 * so that {@code off} stays "off" and a password of digits keeps its zeros.
 */
final class YamlSource {
    // Deeper than the name of any setting. The limit ends the descent into an alias that contains itself.
    private static final int MAX_DEPTH = 4;

    private final Path file;
    private final Map<String, GivenSettings.Entry> entries = new HashMap<>();

    private YamlSource(Path file) {
        this.file = file;
    }

    static Map<String, GivenSettings.Entry> read(Path file) {
        YamlSource source = new YamlSource(file);
        Node root = YamlFile.parse(file, "configuration file");
        if (root instanceof MappingNode mapping) {
            source.collect("", mapping, 1);
        } else if (root != null && !root.getTag().equals(Tag.NULL)) {
            throw new ConfigException(
                    "The file " + file + " does not hold settings: lines like \"port: 8080\" are" + " expected.");
        }
        return source.entries;
    }

    private void collect(String prefix, MappingNode mapping, int depth) {
        for (NodeTuple tuple : mapping.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw new ConfigException("A key in " + where(tuple.getKeyNode()) + " is not a plain name.");
            }
            String name = prefix + key.getValue();
            if (tuple.getValueNode() instanceof MappingNode nested && depth < MAX_DEPTH) {
                collect(name + "-", nested, depth + 1);
            } else {
                put(name, key, tuple.getValueNode());
            }
        }
    }

    private void put(String name, Node key, Node value) {
        Setting<?> setting = Settings.find(name);
        if (setting == null) {
            throw new ConfigException("There is no setting " + name + " (" + where(key) + "); did you mean "
                    + Settings.nearest(name) + "?");
        }
        if (setting.equals(Settings.CONFIG)) {
            throw new ConfigException("A configuration file cannot name another one (" + where(key) + ").");
        }
        GivenSettings.Entry entry = new GivenSettings.Entry(text(name, value), Origin.YAML, where(key));
        if (entries.put(name, entry) != null) {
            throw new ConfigException("The setting " + name + " is given twice (" + where(key) + ").");
        }
    }

    private String text(String name, Node value) {
        if (value instanceof ScalarNode scalar && !scalar.getTag().equals(Tag.NULL)) {
            return scalar.getValue();
        }
        if (value instanceof SequenceNode sequence) {
            List<String> parts = new ArrayList<>();
            for (Node part : sequence.getValue()) {
                if (!(part instanceof ScalarNode scalar)) {
                    throw new ConfigException("The list " + name + " (" + where(part) + ") holds more than texts.");
                }
                parts.add(scalar.getValue());
            }
            return String.join(",", parts);
        }
        throw new ConfigException("The setting " + name + " (" + where(value) + ") has no value.");
    }

    private String where(Node node) {
        return file + " line " + (node.getStartMark().getLine() + 1);
    }
}
