package dev.parley.assembly;

import java.util.List;

/** How a model that knows no calls writes them into its text, and how it is told what came of them. */
public final class PromptedCalls {
    /** The first line of a block that is a call; the call follows as one JSON object. */
    public static final String START = "```tool_call";

    public static final String END = "```";

    /** Stands below the tools, and says how to use them. */
    public static final String HOW = "To call a tool, write a block of its own, and then stop:\n" + START
            + "\n{\"name\": \"<name>\", \"arguments\": {}}\n" + END;

    private PromptedCalls() {}

    /** What the model had written. */
    static String written(String text, List<ContextMessage.Call> calls) {
        StringBuilder written = new StringBuilder(text);
        for (ContextMessage.Call call : calls) {
            if (!written.isEmpty()) {
                written.append('\n');
            }
            written.append(START)
                    .append("\n{\"name\": \"")
                    .append(call.tool())
                    .append("\", \"arguments\": ")
                    .append(call.arguments())
                    .append("}\n")
                    .append(END);
        }
        return written.toString();
    }

    static String returned(ContextMessage.ToolResult result) {
        return "[Tool " + result.tool() + (result.failed() ? " failed" : " returned") + "]: " + result.text();
    }
}
