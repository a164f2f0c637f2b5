package dev.parley.protocol.agent;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/** An element of a view. The set of types is closed, so a renderer can know all of them. Texts are data, never HTML. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = UiStack.class, name = "stack"),
    @JsonSubTypes.Type(value = UiGrid.class, name = "grid"),
    @JsonSubTypes.Type(value = UiText.class, name = "text"),
    @JsonSubTypes.Type(value = UiBadge.class, name = "badge"),
    @JsonSubTypes.Type(value = UiIcon.class, name = "icon"),
    @JsonSubTypes.Type(value = UiImage.class, name = "image"),
    @JsonSubTypes.Type(value = UiKv.class, name = "kv"),
    @JsonSubTypes.Type(value = UiDivider.class, name = "divider"),
    @JsonSubTypes.Type(value = UiButton.class, name = "button")
})
public sealed interface UiNode permits UiStack, UiGrid, UiText, UiBadge, UiIcon, UiImage, UiKv, UiDivider, UiButton {}
