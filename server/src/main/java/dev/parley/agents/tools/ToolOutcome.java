package dev.parley.agents.tools;

/** The outcome of a tool call, as text for the model. */
public record ToolOutcome(String text, boolean error) {
    static ToolOutcome failed(String sentence) {
        return new ToolOutcome(sentence, true);
    }
}
