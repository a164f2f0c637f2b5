package dev.parley.assembly;

import java.util.Locale;

/** What was done to an entry on its way to a model, in words that are stored and shown. */
public enum Transform {
    /** The agent's own configuration, or what the server says about the conversation. */
    INSTRUCTIONS,
    /** The tools, for models that cannot be told of them otherwise. */
    TOOLS,
    /** The author's name stands in front. */
    HEADER,
    /** Lines that look like the beginning of another turn begin with a backslash. */
    ESCAPED,
    /** What another agent or a bot said, as if a person had said it. */
    OTHER_AGENT,
    /** Stands between fences, as something quoted. */
    FENCED,
    /** Was found again among earlier messages. */
    RECALLED,
    /** A result was moved behind the call that it belongs to. */
    MOVED,
    /** There is no result, and this says so. */
    CLOSED,
    /** A call's id was not unique, or not legal. */
    CALL_RENAMED,
    /** A tool's name was not legal. */
    TOOL_RENAMED,
    /** What a call was given was not a JSON object. */
    ARGUMENTS_MENDED,
    /** Several messages in one. */
    MERGED,
    /** There were no words, and these stand for them. */
    FILLED,
    /** An image is named instead of shown. */
    PICTURE_NAMED,
    /** The text is longer than what one message may take of the context. */
    SHORTENED;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
