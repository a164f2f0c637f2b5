package dev.parley.app.config;

import dev.parley.protocol.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A YAML file as JSON with exact numbers, and the line of each field. */
final class YamlTree {
    // Deeper than any configuration. The limit ends the descent into an alias that contains itself.
    private static final int MAX_DEPTH = 12;
    private static final int MAX_NODES = 20_000;

    private final Path file;
    private final String kind;
    private final Map<String, Integer> lines = new HashMap<>();
    private int nodes;

    private YamlTree(Path file, String kind) {
        this.file = file;
        this.kind = kind;
    }

    /** @param root the content of the file; an empty object for an empty file */
    record Read(Path file, ObjectNode root, Map<String, Integer> lines) {
        /** An exception that names the line of the path, or of its nearest known parent. */
        ConfigException wrong(String path, String fault) {
            String prefix = path;
            while (!lines.containsKey(prefix) && prefix.contains(".")) {
                prefix = prefix.substring(0, prefix.lastIndexOf('.'));
            }
            String line = lines.containsKey(prefix) ? " line " + lines.get(prefix) : "";
            return new ConfigException(path + " " + fault + " (" + file + line + ").");
        }
    }

    /** @param kind the name of the file in error messages */
    static Read read(Path file, String kind) {
        YamlTree tree = new YamlTree(file, kind);
        Node root = YamlFile.parse(file, kind);
        if (root == null || root.getTag().equals(Tag.NULL)) {
            return new Read(file, Json.MAPPER.createObjectNode(), Map.of());
        }
        if (!(root instanceof MappingNode mapping)) {
            throw new ConfigException("The " + kind + " " + file + " does not hold a map of names to values.");
        }
        return new Read(file, tree.object("", mapping, 1), tree.lines);
    }

    private ObjectNode object(String path, MappingNode mapping, int depth) {
        ObjectNode object = Json.MAPPER.createObjectNode();
        for (NodeTuple tuple : mapping.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw new ConfigException("A key in " + where(tuple.getKeyNode()) + " is not a plain name.");
            }
            String member = path.isEmpty() ? key.getValue() : path + "." + key.getValue();
            if (object.has(key.getValue())) {
                throw new ConfigException(member + " is given twice (" + where(key) + ").");
            }
            lines.put(member, key.getStartMark().getLine() + 1);
            object.set(key.getValue(), value(member, tuple.getValueNode(), depth));
        }
        return object;
    }

    private JsonNode value(String path, Node node, int depth) {
        if (depth > MAX_DEPTH || ++nodes > MAX_NODES) {
            throw new ConfigException("The " + kind + " holds too much, or too deep, in " + where(node) + ".");
        }
        return switch (node) {
            case MappingNode mapping -> object(path, mapping, depth + 1);
            case SequenceNode sequence -> {
                ArrayNode list = Json.MAPPER.createArrayNode();
                sequence.getValue().forEach(each -> list.add(value(path, each, depth + 1)));
                yield list;
            }
            case ScalarNode scalar -> scalar(scalar);
            default -> throw new ConfigException("The value in " + where(node) + " cannot be read.");
        };
    }

    /** Converts a scalar to JSON. Dates and other words that YAML would interpret stay text. */
    private static JsonNode scalar(ScalarNode scalar) {
        String text = scalar.getValue();
        Tag tag = scalar.getTag();
        if (tag.equals(Tag.NULL)) {
            return Json.MAPPER.nullNode();
        }
        if (tag.equals(Tag.BOOL)) {
            return Json.MAPPER.getNodeFactory().booleanNode(text.matches("(?i)true|yes|on"));
        }
        if (tag.equals(Tag.INT) && text.matches("-?(0|[1-9][0-9_]*)")) {
            return Json.MAPPER.getNodeFactory().numberNode(new BigInteger(text.replace("_", "")));
        }
        if ((tag.equals(Tag.FLOAT) || tag.equals(Tag.INT)) && text.matches("-?[0-9]+(\\.[0-9]+)?")) {
            return Json.MAPPER.getNodeFactory().numberNode(new BigDecimal(text));
        }
        return Json.MAPPER.getNodeFactory().stringNode(text);
    }

    private String where(Node node) {
        return file + " line " + (node.getStartMark().getLine() + 1);
    }
}
