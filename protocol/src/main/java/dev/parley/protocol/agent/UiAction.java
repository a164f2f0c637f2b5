package dev.parley.protocol.agent;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** What a button does: a closed set, each with members of its own and no others. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = UiNavigationAction.class, name = "navigation"),
    @JsonSubTypes.Type(value = UiUrlAction.class, name = "url"),
    @JsonSubTypes.Type(value = UiEventAction.class, name = "event"),
    @JsonSubTypes.Type(value = UiToolAction.class, name = "tool"),
    @JsonSubTypes.Type(value = UiCopyAction.class, name = "copy")
})
public sealed interface UiAction permits UiNavigationAction, UiUrlAction, UiEventAction, UiToolAction, UiCopyAction {}
