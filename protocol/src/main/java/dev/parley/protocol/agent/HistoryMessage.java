package dev.parley.protocol.agent;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A message of a history, with its revisions applied; its role decides which members it has. */
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
    /** The id that its client gave it, which may repeat; otherwise the message's own id. */
    String id();

    long seq();

    String role();

    String content();

    /** The stored metadata, and how the message was changed since: withdrawn, superseded, edited, deleted. */
    @Nullable
    ObjectNode metadata();

    Instant timestamp();
}
