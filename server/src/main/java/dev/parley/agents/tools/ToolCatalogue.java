package dev.parley.agents.tools;

import dev.parley.assembly.OneLine;
import dev.parley.basics.Sha256;
import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Json;
import io.modelcontextprotocol.spec.McpSchema;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The tools of a server, prepared for a model: legal names, one-line descriptions and limited sizes. A tool that is too
 * large is left out as a whole, because half of a schema would have another meaning.
 */
final class ToolCatalogue {
    static final int MAX_TOOLS = 128;
    static final int MAX_NAME = 64;
    static final int MAX_DESCRIPTION = 1_024;
    static final int MAX_SCHEMA_BYTES = 32 * 1_024;

    private static final Logger LOG = LoggerFactory.getLogger(ToolCatalogue.class);
    private static final int MAX_TOOL = 256;
    private static final int HASH_BYTES = 4;
    private static final Alphabet LEGAL = Alphabet.of("a-zA-Z0-9_-");

    private final ToolServerConfig config;
    private final Map<String, ServerTool> tools = new LinkedHashMap<>();
    private int leftOut;

    ToolCatalogue(ToolServerConfig config) {
        this.config = config;
    }

    boolean isFull() {
        return tools.size() >= MAX_TOOLS;
    }

    void add(Collection<McpSchema.Tool> given) {
        for (McpSchema.Tool tool : given) {
            if (tool.name() == null || !config.offers(tool.name())) {
                continue;
            }
            ObjectNode schema = schema(tool);
            if (isFull()
                    || tool.name().isEmpty()
                    || tool.name().length() > MAX_TOOL
                    || !"object".equals(schema.path("type").asString(""))
                    || bytes(schema) > MAX_SCHEMA_BYTES
                    || tools.putIfAbsent(name(config.name(), tool.name()), offered(tool, schema)) != null) {
                leftOut++;
            }
        }
    }

    List<ServerTool> tools() {
        if (leftOut > 0) {
            LOG.warn(
                    "{} tools of tool server {} are not offered: too many, too large, without an object as input, or"
                            + " with the name of another",
                    leftOut,
                    config.name());
        }
        return List.copyOf(tools.values());
    }

    private ServerTool offered(McpSchema.Tool tool, ObjectNode schema) {
        String description = OneLine.of(Objects.requireNonNullElse(tool.description(), ""), MAX_DESCRIPTION);
        return new ServerTool(
                name(config.name(), tool.name()),
                config.name(),
                tool.name(),
                description,
                schema,
                config.approval().isNeededFor(tool.name()));
    }

    /**
     * The name under which models see a tool. This name depends on the tool alone and not on other tools, since stored
     * conversations keep the name for good. A changed name ends in a hash of the original.
     */
    static String name(String server, String tool) {
        String whole = server + "__" + tool;
        String legal = LEGAL.replaceOthers(whole, '_');
        if (legal.equals(whole) && whole.length() <= MAX_NAME) {
            return whole;
        }
        String hash = "_" + HexFormat.of().formatHex(Sha256.of(tool.getBytes(StandardCharsets.UTF_8)), 0, HASH_BYTES);
        return legal.substring(0, Math.min(legal.length(), MAX_NAME - hash.length())) + hash;
    }

    private static ObjectNode schema(McpSchema.Tool tool) {
        JsonNode given = Json.MAPPER.valueToTree(tool.inputSchema());
        if (!(given instanceof ObjectNode schema)) {
            return Json.MAPPER.createObjectNode().put("type", "object");
        }
        if (!schema.has("type")) {
            schema.put("type", "object");
        }
        neutralise(schema);
        return schema;
    }

    /** Makes the texts of a schema harmless single lines, since the model reads them too. */
    private static void neutralise(JsonNode node) {
        if (node instanceof ObjectNode object) {
            for (String member : List.of("title", "description", "$comment")) {
                if (object.path(member).isString()) {
                    object.put(member, OneLine.of(object.path(member).stringValue(), MAX_DESCRIPTION));
                }
            }
        }
        node.forEach(ToolCatalogue::neutralise);
    }

    private static int bytes(ObjectNode schema) {
        return Json.MAPPER.writeValueAsBytes(schema).length;
    }
}
