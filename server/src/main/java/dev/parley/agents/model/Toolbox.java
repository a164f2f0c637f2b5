package dev.parley.agents.model;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.parley.agents.tools.ServerTool;
import dev.parley.assembly.ToolNames;
import dev.parley.protocol.agui.Tool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The tools that a model may call in one run: tools of the caller's app, and tools of the server. */
final class Toolbox {
    private static final int MAX_NAME = 64;
    private static final int MAX_UNKNOWN = 128;

    private final Map<String, Offered> byWireName = new LinkedHashMap<>();
    private final Map<String, Offered> byName = new LinkedHashMap<>();

    /**
     * A tool as it is offered to the model.
     *
     * @param wireName the tool's name for the model; it may differ, because providers do not accept every name
     * @param server null for a tool of the caller's app
     */
    private record Offered(
            String wireName, Tool tool, @Nullable ServerTool server) {}

    /**
     * If two tools have the same name, only the server's tool is offered. Otherwise the starter of a run could answer
     * in place of the server's tool.
     */
    Toolbox(List<Tool> frontend, List<ServerTool> server) {
        server.forEach(tool -> add(new Tool(tool.name(), tool.description(), tool.schema(), null), tool));
        frontend.forEach(tool -> add(tool, null));
    }

    private void add(Tool tool, @Nullable ServerTool server) {
        if (byName.containsKey(tool.name())) {
            return;
        }
        String wireName = wireNamed(tool.name());
        Offered offered = new Offered(wireName, tool, server);
        byWireName.put(wireName, offered);
        byName.put(tool.name(), offered);
    }

    private String wireNamed(String name) {
        String legal = ToolNames.legal(name);
        String wireName = legal;
        for (int i = 2; byWireName.containsKey(wireName); i++) {
            String number = "_" + i;
            wireName = legal.substring(0, Math.min(MAX_NAME - number.length(), legal.length())) + number;
        }
        return wireName;
    }

    List<ToolSpecification> specifications(Provider provider) {
        return byWireName.values().stream()
                .map(offered -> {
                    ToolSpecification.Builder builder = ToolSpecification.builder()
                            .name(offered.wireName())
                            .description(offered.tool().description());
                    ToolSchemas.of(offered.tool().parameters(), provider).ifPresent(builder::parameters);
                    return builder.build();
                })
                .toList();
    }

    /** The tools with the names that the model sees, for the stored context. */
    List<Tool> wireNamed() {
        return byWireName.values().stream()
                .map(offered -> new Tool(
                        offered.wireName(),
                        offered.tool().description(),
                        offered.tool().parameters(),
                        null))
                .toList();
    }

    /** The tools for the prompt of a model without tool calls. */
    List<Tool> prompted() {
        return byWireName.values().stream().map(Offered::tool).toList();
    }

    /** The tool's own name for the name that the model used. */
    String nameOf(@Nullable String wireName) {
        Offered offered = wireName == null ? null : byWireName.get(wireName);
        if (offered != null) {
            return offered.tool().name();
        }
        String unknown = wireName == null || wireName.isBlank() ? "unknown" : wireName;
        return unknown.substring(0, Math.min(MAX_UNKNOWN, unknown.length()));
    }

    boolean isFrontend(String name) {
        Offered offered = byName.get(name);
        return offered != null && offered.server() == null;
    }

    Optional<ServerTool> server(String name) {
        return Optional.ofNullable(byName.get(name)).map(Offered::server);
    }

    /** A sentence with the tools' names, for a model that called an unknown tool. */
    String names() {
        return byWireName.isEmpty()
                ? "There are no tools."
                : "There are: " + String.join(", ", byWireName.keySet()) + ".";
    }
}
