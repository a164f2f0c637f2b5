package dev.parley.protocol.agent;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A message of a history, with its revisions applied. The role decides which fields the message has. */
@JsonTypeInfo(
        use = JsonTypeInfo.Id.NAME,
        include = JsonTypeInfo.As.EXISTING_PROPERTY,
        property = "role",
        visible = true)
@JsonSubTypes({
    @JsonSubTypes.Type(value = HistoryQuestion.class, name = "user"),
    @JsonSubTypes.Type(
            value = HistoryAnswer.class,
            names = {"assistant", "tool"})
})
public sealed interface HistoryMessage permits HistoryQuestion, HistoryAnswer {
    /**
     * The id that the client gave to the message, or the server's id of the message if the client gave no id. An id
     * from a client is not unique.
     */
    String id();

    long seq();

    String role();

    String content();

    /** The stored metadata, with marks for later changes: withdrawn, superseded, edited, deleted. */
    @Nullable
    ObjectNode metadata();

    Instant timestamp();
}
