package dev.parley.assembly;

import dev.parley.protocol.Json;
import dev.parley.protocol.agui.Tool;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Describes a caller's tools to a model. The block's form is fixed to the letter; no text of a tool can end the block
 * or look like its end.
 */
public final class ToolsPrompt {
    private static final String START = "<!-- TOOLS_START -->";
    private static final String END = "<!-- TOOLS_END -->";
    private static final String NOTE = "Note: tool arguments must strictly match args_schema.";

    private static final Pattern LINE_BREAKS = Pattern.compile("[\\n\\r\\f\\x{B}\\x{85}\\x{2028}\\x{2029}]+");

    /** A gap that a reader may overlook: spaces and invisible characters, also if they are escaped as in JSON. */
    private static final String GAP = "(?:[\\s\\p{Z}\\p{C}]|\\\\[bfnrt]|\\\\u[0-9a-f]{4})*+";

    /** The opening bracket of a marker line, or of a text that looks like a marker line. */
    private static final Pattern MARKER = Pattern.compile(
            "<(?=" + GAP + "!" + GAP + "-[-\\s]*+" + GAP + "TOOLS" + GAP + "[_-]?" + GAP + "(?:START|END))",
            Pattern.CASE_INSENSITIVE);

    private ToolsPrompt() {}

    /** Empty if there are no tools. */
    public static Optional<String> of(List<Tool> tools) {
        if (tools.isEmpty()) {
            return Optional.empty();
        }
        StringBuilder block = new StringBuilder(START).append('\n');
        for (Tool tool : tools) {
            block.append("- ")
                    .append(line(tool.name()))
                    .append(": ")
                    .append(line(tool.description()))
                    .append("\n  - args_schema: ")
                    .append(schema(tool))
                    .append('\n');
        }
        return Optional.of(block.append(NOTE).append('\n').append(END).toString());
    }

    private static String line(String text) {
        String line = LINE_BREAKS.matcher(text).replaceAll(" ");
        return MARKER.matcher(line).replaceAll("&lt;");
    }

    /**
     * The JSON Schema of a tool, with the opening bracket of each marker escaped. An escaped bracket means the same in
     * JSON, so the schema keeps its meaning.
     */
    private static String schema(Tool tool) {
        String json = tool.parameters() == null ? "{}" : Json.MAPPER.writeValueAsString(tool.parameters());
        return MARKER.matcher(json).replaceAll("\\\\u003c");
    }
}
