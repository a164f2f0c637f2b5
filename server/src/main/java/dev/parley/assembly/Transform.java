package dev.parley.assembly;

import java.util.Locale;

/** The changes to an entry on its way to a model, by names that are stored and shown. */
public enum Transform {
    /** The agent's own configuration, or the server's text about the conversation. */
    INSTRUCTIONS,
    /** The tools, for models that learn of their tools only from the prompt. */
    TOOLS,
    /** The author's name precedes the text. */
    HEADER,
    /** Lines that look like the beginning of another turn begin with a backslash. */
    ESCAPED,
    /** A message from another agent or a bot, in the form of a person's message. */
    OTHER_AGENT,
    /** A quotation between fences. */
    FENCED,
    /** Recalled from earlier messages. */
    RECALLED,
    /** A result was moved after its call. */
    MOVED,
    /** A placeholder for a missing result. */
    CLOSED,
    /** A call's id was not unique, or not legal. */
    CALL_RENAMED,
    /** A tool's name was not legal. */
    TOOL_RENAMED,
    /** The arguments of a call were not a JSON object. */
    ARGUMENTS_MENDED,
    /** Several messages in one. */
    MERGED,
    /** A placeholder for a missing text. */
    FILLED,
    /** An image is named instead of shown. */
    PICTURE_NAMED,
    /** The text exceeds the share of one message in the context. */
    SHORTENED;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
