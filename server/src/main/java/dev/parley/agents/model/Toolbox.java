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

/** The tools that a model may call in one run: those of the caller's app, and those of the server. */
final class Toolbox {
    private static final int MAX_NAME = 64;
    private static final int MAX_UNKNOWN = 128;

    private final Map<String, Offered> byTold = new LinkedHashMap<>();
    private final Map<String, Offered> byName = new LinkedHashMap<>();

    /**
     * A tool as it is told of.
     *
     * @param told by which name the model calls it: providers do not take every name
     * @param server null for one that runs in the caller's app
     */
    private record Offered(String told, Tool tool, @Nullable ServerTool server) {}

    /** Of two of one name the server's is meant: otherwise whoever starts a run could answer in its place. */
    Toolbox(List<Tool> frontend, List<ServerTool> server) {
        server.forEach(tool -> add(new Tool(tool.name(), tool.description(), tool.schema(), null), tool));
        frontend.forEach(tool -> add(tool, null));
    }

    private void add(Tool tool, @Nullable ServerTool server) {
        if (byName.containsKey(tool.name())) {
            return;
        }
        String told = told(tool.name());
        Offered offered = new Offered(told, tool, server);
        byTold.put(told, offered);
        byName.put(tool.name(), offered);
    }

    private String told(String name) {
        String legal = ToolNames.legal(name);
        String told = legal;
        for (int i = 2; byTold.containsKey(told); i++) {
            String number = "_" + i;
            told = legal.substring(0, Math.min(MAX_NAME - number.length(), legal.length())) + number;
        }
        return told;
    }

    List<ToolSpecification> specifications(Provider provider) {
        return byTold.values().stream()
                .map(offered -> {
                    ToolSpecification.Builder made = ToolSpecification.builder()
                            .name(offered.told())
                            .description(offered.tool().description());
                    ToolSchemas.of(offered.tool().parameters(), provider).ifPresent(made::parameters);
                    return made.build();
                })
                .toList();
    }

    /** The same as they are told, for whoever looks later. */
    List<Tool> told() {
        return byTold.values().stream()
                .map(offered -> new Tool(
                        offered.told(),
                        offered.tool().description(),
                        offered.tool().parameters(),
                        null))
                .toList();
    }

    /** The same for a model that is told in words. */
    List<Tool> prompted() {
        return byTold.values().stream().map(Offered::tool).toList();
    }

    /** What a tool is really called that the model calls by this name. */
    String nameOf(@Nullable String told) {
        Offered offered = told == null ? null : byTold.get(told);
        if (offered != null) {
            return offered.tool().name();
        }
        String unknown = told == null || told.isBlank() ? "unknown" : told;
        return unknown.substring(0, Math.min(MAX_UNKNOWN, unknown.length()));
    }

    boolean isFrontend(String name) {
        Offered offered = byName.get(name);
        return offered != null && offered.server() == null;
    }

    Optional<ServerTool> server(String name) {
        return Optional.ofNullable(byName.get(name)).map(Offered::server);
    }

    /** For a model that called something else. */
    String names() {
        return byTold.isEmpty() ? "There are no tools." : "There are: " + String.join(", ", byTold.keySet()) + ".";
    }
}
