package dev.parley.protocol.agent;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A message of a history, as it stands now; its role says which members it has. */
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
    /** The id as its client gave it, which may repeat; else the message's own. */
    String id();

    long seq();

    String role();

    String content();

    /** As it was stored, and how the message was changed since: withdrawn, superseded, edited, deleted. */
    @Nullable
    ObjectNode metadata();

    Instant timestamp();
}
