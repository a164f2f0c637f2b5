package dev.parley.agents.tools;

/** What came of a call, for the model to read. */
public record ToolOutcome(String text, boolean error) {
    static ToolOutcome failed(String sentence) {
        return new ToolOutcome(sentence, true);
    }
}
