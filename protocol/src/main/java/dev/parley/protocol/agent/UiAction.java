package dev.parley.protocol.agent;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** The action of a button. The set of types is closed, and each type has only its own fields. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = UiNavigationAction.class, name = "navigation"),
    @JsonSubTypes.Type(value = UiUrlAction.class, name = "url"),
    @JsonSubTypes.Type(value = UiEventAction.class, name = "event"),
    @JsonSubTypes.Type(value = UiToolAction.class, name = "tool"),
    @JsonSubTypes.Type(value = UiCopyAction.class, name = "copy")
})
public sealed interface UiAction permits UiNavigationAction, UiUrlAction, UiEventAction, UiToolAction, UiCopyAction {}
