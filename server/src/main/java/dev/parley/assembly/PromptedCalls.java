package dev.parley.assembly;

import java.util.List;

/** Writes calls and results as text, for a model without native tool calls. */
public final class PromptedCalls {
    /** The first line of a block that contains a call; the call follows as one JSON object. */
    public static final String START = "```tool_call";

    public static final String END = "```";

    /** The usage note below the tools. */
    static final String USAGE = "To call a tool, write a block of its own, and then stop:\n" + START
            + "\n{\"name\": \"<name>\", \"arguments\": {}}\n" + END;

    private PromptedCalls() {}

    /** The text with its calls, as the model had written them. */
    static String withCalls(String text, List<ContextMessage.Call> calls) {
        StringBuilder withCalls = new StringBuilder(text);
        for (ContextMessage.Call call : calls) {
            if (!withCalls.isEmpty()) {
                withCalls.append('\n');
            }
            withCalls
                    .append(START)
                    .append("\n{\"name\": \"")
                    .append(call.tool())
                    .append("\", \"arguments\": ")
                    .append(call.arguments())
                    .append("}\n")
                    .append(END);
        }
        return withCalls.toString();
    }

    static String resultText(ContextMessage.ToolResult result) {
        return "[Tool " + result.tool() + (result.failed() ? " failed" : " returned") + "]: " + result.text();
    }
}
